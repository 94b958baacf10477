/** The kiosk that the first start creates: passed to the Door page, which shows how to open it. */
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import type { KioskWithCode } from '../../../../server/contract/console/kiosks.ts';

const KEY = ['first-kiosk'];

export const keepFirstKiosk = (client: QueryClient, made: KioskWithCode | null): void => {
  client.setQueryData(KEY, made);
};

export function useFirstKiosk(): { kiosk: KioskWithCode | null; forget: () => void } {
  const client = useQueryClient();
  const { data } = useQuery<KioskWithCode | null>({ queryKey: KEY, enabled: false, initialData: null });
  return { kiosk: data, forget: () => keepFirstKiosk(client, null) };
}
