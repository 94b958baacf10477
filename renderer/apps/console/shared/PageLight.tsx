import { useQuery } from '@tanstack/react-query';
import type { PageLight } from '../../../../server/contract/console/common.ts';
import { Fact } from './lists/DetailDrawer.tsx';
import { useScopeFilter } from './client/session.ts';
import { useWords } from './words.tsx';

/** Whether the page’s light is usually seen on faces at a kiosk or with a verification, and what follows for guests. */
export function PageLightFact({
  kind,
  placeId,
  read,
}: {
  kind: 'kiosk' | 'verification';
  placeId: string;
  read: (signal: AbortSignal) => Promise<PageLight>;
}) {
  const { light: words } = useWords('door');
  const scope = useScopeFilter();
  const { data: light } = useQuery({
    queryKey: ['page-light', placeId, scope],
    queryFn: ({ signal }) => read(signal),
  });
  if (!light) return null;
  const isKnown = light.known >= light.needed;
  return (
    <Fact term={words.titles[kind]}>
      {isKnown ? words.seen(light) : words.unknown(light)}
      <p className="quiet">{!isKnown ? words.later : light.is_usual ? words.usual : words.unusual}</p>
    </Fact>
  );
}
