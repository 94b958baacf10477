/**
 * The Debian packages in a bare Debian 12 that boots in a container without a network: installed from a folder, started,
 * replaced by a signed update while running, removed and purged. Each step's output is the test's attachment.
 */
import { execFile, execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@playwright/test';
import { CSRF_HEADER } from '../../server/contract/console/common.ts';
import { cacheDir } from '../../scripts/assets/paths.ts';
import { makeDebs, makeOfflineFolder } from '../../scripts/packaging/deb.ts';
import { makeUpdate } from '../../scripts/packaging/update.ts';
import { openDisplay } from '../../testing/display.ts';
import { NIGHTLY, limitMs } from '../../testing/tier.ts';
import { prerequisite } from '../support/prerequisite.ts';
import { acceptKeys, KEYS } from '../support/service/self-updating.ts';
import { whyNoDesktop } from './desktop.ts';
import { packagedApp } from './packaged.ts';

const runFile = promisify(execFile);
const TOOLS = ['mmdebstrap', 'systemd-nspawn', 'dpkg-scanpackages', 'dpkg-deb'];
const SOURCES = '/etc/apt/sources.list.d/debian.sources';
const BARE = path.join(cacheDir(), 'bare-bookworm-polkit.tar');
/** Making the bare system takes two minutes, which are spent waiting for packages. */
const MAKING_TIMEOUT_MS = limitMs(300_000);
const TEST_TIMEOUT_MS = limitMs(150_000);
const OLD = '0.1.0';
const NEW = '0.2.0';
const UPDATE = 'gatehouse.update';

const lacksTools = (): boolean =>
  TOOLS.some((tool) => !existsSync(`/usr/bin/${tool}`)) || process.getuid?.() !== 0 || !existsSync(SOURCES);
prerequisite(
  whyNoDesktop() ??
    (lacksTools()
      ? 'Root on Debian 12 and some tools are needed (apt-get install mmdebstrap systemd-container dpkg-dev).'
      : null),
);

let folder: string;
/** Below it, one folder for each version with an index for `apt`. */
let media: string;
test.beforeAll(async () => {
  test.setTimeout(MAKING_TIMEOUT_MS);
  folder = await mkdtemp(path.join(tmpdir(), 'gatehouse-debian-'));
  media = path.join(folder, 'media');
  if (!existsSync(BARE)) {
    const include = '--include=systemd,systemd-sysv,dbus,polkitd,pkexec';
    await runFile('mmdebstrap', ['--variant=minbase', include, 'bookworm', BARE, SOURCES]);
  }
  const built = path.join(folder, 'built');
  const debs = await makeDebs(
    { unpacked: await packagedApp(), version: OLD, maintainer: 'Tests <root@localhost>' },
    built,
  );
  for (const deb of debs) await repack(deb, path.join(media, NEW), setVersion);
  await makeUpdate(
    {
      ...{ folder: path.join(media, NEW), version: NEW, minFrom: OLD, kind: 'deb' },
      privateKeys: [KEYS.privateKey],
    },
    path.join(media, UPDATE),
  );
  for (const deb of debs) await repack(deb, built, acceptUpdates);
  await makeOfflineFolder(debs, path.join(media, OLD));
  const { stdout } = await runFile('dpkg-scanpackages', ['.'], { cwd: path.join(media, NEW) });
  await writeFile(path.join(media, NEW, 'Packages'), stdout);
});
test.afterAll(() => rm(folder, { recursive: true, force: true }));

const controlIn = (root: string): string => path.join(root, 'DEBIAN/control');
const versionIn = (control: string): string => /^Version: (.+)$/m.exec(control)?.[1] ?? '';

async function setVersion(root: string): Promise<void> {
  const control = await readFile(controlIn(root), 'utf8');
  await writeFile(controlIn(root), control.replace(`Version: ${OLD}`, `Version: ${NEW}`));
}

/** Has the program in either package accept updates that the tests sign. */
async function acceptUpdates(root: string): Promise<void> {
  const homes = ['usr/lib/gatehouse', 'opt/Gatehouse/resources/app.asar.unpacked'];
  const servers = homes.map((home) => path.join(root, home, 'dist/server')).filter((one) => existsSync(one));
  for (const server of servers) await acceptKeys(server);
}

/** Packs a package again with a change to its files. */
async function repack(deb: string, target: string, change: (root: string) => Promise<void>): Promise<void> {
  const root = path.join(folder, 'repacked');
  await mkdir(target, { recursive: true });
  await runFile('dpkg-deb', ['--raw-extract', deb, root]);
  await change(root);
  const control = await readFile(controlIn(root), 'utf8');
  const file = path.join(target, path.basename(deb).replace(OLD, versionIn(control)));
  await runFile('dpkg-deb', ['--build', '--root-owner-group', '-Znone', root, file]);
  await rm(root, { recursive: true });
}

/** Functions of the steps, and the folder as the only source of packages. */
const PRELUDE = `
export DEBIAN_FRONTEND=noninteractive PATH=/usr/sbin:/usr/bin:/sbin:/bin
from() {
  rm -f /etc/apt/sources.list /etc/apt/sources.list.d/*
  echo "deb [trusted=yes] file:/media/$1 ./" > /etc/apt/sources.list
  apt-get update -qq
}
step() { echo "== $*"; }
answer() { "$NODE" -e 'const until = Date.now() + 60000;
  const ask = () => fetch(process.argv[1]).then((reply) => reply.text()).then(console.log, () =>
    Date.now() < until ? setTimeout(ask, 100) : process.exit(1));
  ask();' "$1"; }
`;

/** The first admin installs the update on the app's page, and prints what became of it. */
const INSTALL_AS_ADMIN = `
const at = 'http://127.0.0.1:4181/console/api';
const headers = { 'content-type': 'application/json' };
const passphrase = 'copper lantern river moss';
const ask = async (path, body) => {
  const reply = await fetch(at + path, { headers, ...(body && { method: 'POST', body: JSON.stringify(body) }) });
  const said = await reply.json();
  if (!reply.ok) throw new Error(JSON.stringify(said));
  const [cookie] = reply.headers.getSetCookie();
  if (cookie !== undefined) headers.cookie = cookie.split(';')[0];
  return said;
};
if ((await ask('/setup')).needed)
  await ask('/setup', { company_name: 'Arena', name: 'Ana Ruiz', passphrase });
const me = await ask('/sign-in', { name: 'Ana Ruiz', passphrase });
headers['${CSRF_HEADER}'] = me.csrf_token;
await ask('/settings/updates/install', { file: '/media/${UPDATE}', version: '${NEW}', passphrase });
const until = Date.now() + 120000;
let state;
do {
  await new Promise((resolve) => setTimeout(resolve, 200));
  state = await ask('/settings/updates');
} while (state.working !== null && Date.now() < until);
console.log(state.by_package, state.problem, state.last?.state);
`;

/** Boots the bare system, runs the steps as root and powers off. @returns what they printed, by step */
async function inBareSystem(
  name: string,
  steps: string,
  binds: readonly string[] = [],
): Promise<Map<string, string>> {
  const root = path.join(folder, name);
  await mkdir(root);
  await runFile('tar', ['-xf', BARE, '-C', root]);
  await cp(media, path.join(root, 'media'), { recursive: true });
  await writeFile(path.join(root, 'root/steps.sh'), `${PRELUDE}\n${steps}\n`);
  await writeFile(
    path.join(root, 'etc/systemd/system/steps.service'),
    `[Unit]
After=multi-user.target
SuccessAction=poweroff
FailureAction=poweroff
[Service]
Type=oneshot
ExecStart=/bin/bash /root/steps.sh
StandardOutput=file:/root/transcript
StandardError=inherit
`,
  );
  const wanted = path.join(root, 'etc/systemd/system/default.target.wants');
  await mkdir(wanted, { recursive: true });
  execFileSync('ln', ['-s', '../steps.service', wanted]);
  await runFile(
    'systemd-nspawn',
    ['--quiet', '--register=no', '--keep-unit', '--private-network', ...binds, '-D', root, '--boot'],
    { timeout: TEST_TIMEOUT_MS, maxBuffer: 64 * 1024 ** 2 },
  );
  const transcript = await readFile(path.join(root, 'root/transcript'), 'utf8');
  await test.info().attach('transcript', { body: transcript, contentType: 'text/plain' });
  await rm(root, { recursive: true });
  return new Map(
    transcript
      .split(/^== /m)
      .slice(1)
      .map((part) => [part.slice(0, part.indexOf('\n')), part.slice(part.indexOf('\n') + 1)]),
  );
}

test('the service is installed, upgraded while it runs, removed and purged', { tag: NIGHTLY }, async () => {
  test.setTimeout(TEST_TIMEOUT_MS);
  const said = await inBareSystem(
    'server',
    `
NODE=/usr/lib/gatehouse/node/bin/node
from ${OLD}
step install
apt-get install -y -qq gatehouse-server
step ready
answer http://127.0.0.1:4180/readyz
systemctl is-active gatehouse
systemctl is-enabled gatehouse
stat -c %U /proc/$(systemctl show -p MainPID --value gatehouse)
step company
gatehouse company create --name Arena --json
stat -c '%U %a' /var/lib/gatehouse /var/lib/gatehouse/gatehouse.key
step upgrade
before=$(systemctl show -p MainPID --value gatehouse)
gatehouse update install /media/${UPDATE}
answer http://127.0.0.1:4180/readyz
[ "$before" != "$(systemctl show -p MainPID --value gatehouse)" ] && echo restarted
dpkg-query -W -f '\${Version}\\n' gatehouse-server
gatehouse company list
dpkg --verify gatehouse-server && echo unchanged
step size
du -sm /usr/lib/gatehouse
step remove
apt-get remove -y -qq gatehouse-server
systemctl is-active gatehouse
ls /var/lib/gatehouse/gatehouse.db
step purge
apt-get purge -y -qq gatehouse-server
ls /var/lib/gatehouse/gatehouse.db /etc/default/gatehouse /usr/lib/gatehouse 2>&1
`,
  );
  expect(said.get('ready')).toBe('{"status":"ready","engine":"sqlite"}\nactive\nenabled\ngatehouse\n');
  expect(said.get('company')).toMatch(/"company_id".*\ngatehouse 700\ngatehouse 600\n$/);
  expect(said.get('upgrade')).toMatch(/ready.*\nrestarted\n0\.2\.0\n.*Arena/s);
  expect(said.get('upgrade')).toMatch(/unchanged\n$/);
  expect(said.get('remove')).toMatch(/inactive\n\/var\/lib\/gatehouse\/gatehouse.db\n$/);
  expect(said.get('purge')).toMatch(/the data was kept, in \/var\/lib\/gatehouse/);
  expect(said.get('purge')).toMatch(/^\/var\/lib\/gatehouse\/gatehouse.db$/m);
  expect(said.get('purge')).toMatch(/'\/etc\/default\/gatehouse': No such file/);
  expect(said.get('purge')).toMatch(/'\/usr\/lib\/gatehouse': No such file/);
});

test(
  'the desktop app is installed, upgraded while it runs, removed and purged',
  { tag: NIGHTLY },
  async () => {
    test.setTimeout(TEST_TIMEOUT_MS);
    const display = await openDisplay();
    try {
      const said = await inBareSystem(
        'desktop',
        `
NODE=/opt/Gatehouse/resources/node/node
useradd -m guest
# The container has a /tmp of its own.
mkdir -p /tmp/.X11-unix && mount --bind /screens /tmp/.X11-unix
start() { runuser -u guest -- env DISPLAY=${display.name} gatehouse-desktop --disable-gpu > /root/app.log 2>&1 & app=$!; }
from ${OLD}
step install
apt-get install -y -qq gatehouse
step ready
begin=$(date +%s%N)
start
answer http://127.0.0.1:4180/readyz
echo "after $((($(date +%s%N) - begin) / 1000000)) ms"
answer http://127.0.0.1:4181/ | grep -o '<title>.*</title>'
answer http://127.0.0.1:4180/kiosk | grep -o '<title>.*</title>'
stat -c '%A' /opt/Gatehouse/chrome-sandbox
grep -ic sandbox /root/app.log
step refused
cat > /root/install.mjs <<'END'
${INSTALL_AS_ADMIN}
END
"$NODE" /root/install.mjs
dpkg-query -W -f '\${Version}\\n' gatehouse
step upgrade
# As an administrator does who types a password.
# It reads an old JavaScript.
echo 'polkit.addRule(function (action, subject) {
  if (action.id == "org.freedesktop.policykit.exec" && subject.user == "guest") return polkit.Result.YES;
});' > /etc/polkit-1/rules.d/10-guest.rules
sleep 2
"$NODE" /root/install.mjs
kill -0 $app && echo 'still runs'
answer http://127.0.0.1:4180/readyz
kill $app; wait $app
start
answer http://127.0.0.1:4180/readyz
dpkg-query -W -f '\${Version}\\n' gatehouse
step size
du -sm /opt/Gatehouse
kill $app; wait $app
step purge
apt-get purge -y -qq gatehouse
ls /home/guest/.local/share/gatehouse/gatehouse.db /opt/Gatehouse 2>&1
`,
        ['--bind=/tmp/.X11-unix:/screens'],
      );
      expect(said.get('ready')).toMatch(/"ready".*\nafter \d+ ms\n<title>.*<\/title>\n<title>.*<\/title>\n/);
      expect(said.get('ready')).toMatch(/\n0\n$/);
      expect(said.get('refused')).toBe('true not_authorised undefined\n0.1.0\n');
      expect(said.get('upgrade')).toMatch(
        /^true null waiting\nstill runs\n.*ready.*\n.*ready.*\n0\.2\.0\n$/s,
      );
      expect(said.get('purge')).toMatch(/data was kept, in ~\/\.local\/share\/gatehouse/);
      expect(said.get('purge')).toMatch(/^\/home\/guest\/.local\/share\/gatehouse\/gatehouse.db$/m);
      expect(said.get('purge')).toMatch(/'\/opt\/Gatehouse': No such file/);
    } finally {
      await display.close();
    }
  },
);
