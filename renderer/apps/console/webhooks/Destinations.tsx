import type {
  WebhookDestinationItem,
  WebhookLineDetail,
} from '../../../../server/contract/console/webhooks.ts';
import { WEBHOOK_TYPES, type WebhookType } from '../../../../server/contract/webhook-types.ts';
import { DataTable, type Column } from '../shared/lists/DataTable.tsx';
import { DetailDrawer, useOpenRow } from '../shared/lists/DetailDrawer.tsx';
import { wholeList } from '../shared/lists/list.ts';
import { useWords } from '../shared/words.tsx';
import { DestinationDetail } from './DestinationDetail.tsx';
import { DestinationState } from './WebhookState.tsx';

type Row = { type: WebhookType; item: WebhookDestinationItem | undefined };

/** Every kind of event, with its destination. */
export function Destinations({ lineageId, detail }: { lineageId: string; detail: WebhookLineDetail }) {
  const words = useWords('webhooks');
  const { openId, open, close } = useOpenRow();
  const rows = WEBHOOK_TYPES.map((type): Row => ({
    type,
    item: detail.destinations.find(({ webhook_type }) => webhook_type === type),
  }));
  const opened = rows.find(({ type }) => type === openId);
  const columns: readonly Column<Row>[] = [
    { id: 'event', title: words.event, cell: ({ type }) => words.events[type] },
    {
      id: 'destination',
      title: words.destination,
      cell: ({ item }) =>
        item === undefined ? (
          <span className="quiet">{words.none}</span>
        ) : (
          <code>{item.destination_url}</code>
        ),
    },
    { id: 'state', title: words.state, cell: ({ item }) => <DestinationState item={item} /> },
  ];
  return (
    <>
      <DataTable
        label={words.views.destinations}
        columns={columns}
        list={wholeList(rows)}
        rowId={({ type }) => type}
        onOpen={open}
        openId={openId}
        empty={null}
      />
      <DetailDrawer
        title={opened === undefined ? '' : words.events[opened.type]}
        opened={opened !== undefined}
        onClose={close}
      >
        {opened !== undefined && (
          <DestinationDetail
            key={opened.type}
            lineageId={lineageId}
            type={opened.type}
            item={opened.item}
            unsetVersion={detail.unset_version}
          />
        )}
      </DetailDrawer>
    </>
  );
}
