/** The servers in an address of PostgreSQL. */

/** One server of an address. */
type PostgresServer = {
  /** The same address with only this server. */
  url: string;
  /** Name, address or folder of a socket; empty if the driver's own default applies. */
  host: string;
};

/**
 * The servers in an address, in order: `postgres://user@one:5432,two:5433/database`, or the parameters `host=one,two`
 * and `port=5432,5433`. A single port applies to all of them.
 * @returns an empty list if the text is not the address of a PostgreSQL database
 */
export function serversOf(text: string): PostgresServer[] {
  const parts = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#@]*)(.*)$/s.exec(text);
  if (parts === null) return [];
  const [, before = '', places = '', after = ''] = parts;
  const alone = places.split(',').map((place) => `${before}${place}${after}`);
  if (!alone.every((url) => URL.canParse(url))) return [];
  const { searchParams } = new URL(alone[0] ?? '');
  // The driver prefers parameters to the host before the path, and of several with one name it takes the last.
  const last = (name: string) => searchParams.getAll(name).at(-1);
  const hosts = last('host')?.split(',');
  if (hosts === undefined) return alone.map((url) => ({ url, host: new URL(url).hostname }));
  if (alone.length > 1) return [];
  const ports = last('port')?.split(',') ?? [];
  if (ports.length > 1 && ports.length !== hosts.length) return [];
  return hosts.map((host, n) => {
    const url = new URL(alone[0] ?? '');
    url.searchParams.set('host', host);
    const port = ports[n] ?? ports[0];
    if (port !== undefined) url.searchParams.set('port', port);
    return { url: url.href, host };
  });
}
