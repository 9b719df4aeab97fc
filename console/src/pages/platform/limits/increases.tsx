import { control, dataOf } from '../../../shared/api/control.ts';
import { useAction } from '../../../shared/api/use-action.ts';
import { useData } from '../../../shared/api/use-data.ts';
import { count } from '../../../shared/format/numbers.ts';
import { useMayChange } from '../../../shared/session.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { Row } from '../../../shared/ui/layout.tsx';
import { Table } from '../../../shared/ui/table.tsx';

const ON = ['/api/2.0/platform', '/_jar/platform'] as const;

/** Requests for higher limits that wait for a decision of the operator. */
export function Increases() {
  const mayChange = useMayChange();
  const pending = useData(
    ['platform', 'increases'],
    (signal) =>
      dataOf(
        control.GET('/_jar/platform/limit-increases', { params: { query: { $filter: "state eq 'PENDING'" } }, signal }),
      ),
    { on: ON },
  );
  const approve = useAction(
    (id: string) => control.POST('/_jar/platform/limit-increases/{id}/approve', { params: { path: { id } }, body: {} }),
    { done: 'The limit was raised.', after: pending.readAgain },
  );
  const refuse = useAction(
    (id: string) =>
      control.POST('/_jar/platform/limit-increases/{id}/refuse', {
        params: { path: { id } },
        body: { reason: 'Refused in the console.' },
      }),
    { done: 'The request was refused.', after: pending.readAgain },
  );
  const requests = pending.data?.value ?? [];
  if (requests.length === 0) return null;
  return (
    <Table
      label="Requests for higher limits"
      items={requests}
      keyOf={({ id }) => id}
      columns={[
        { title: 'Limit', cell: ({ limit }) => limit },
        { title: 'From', isNumber: true, cell: ({ current }) => count(current) },
        { title: 'To', isNumber: true, cell: ({ requested }) => count(requested) },
        { title: 'Reason', cell: ({ reason }) => reason },
        {
          title: 'Decide',
          cell: ({ id }) =>
            mayChange && (
              <Row>
                <Button onPress={() => void approve.run(id)}>Approve</Button>
                <Button onPress={() => void refuse.run(id)}>Refuse</Button>
              </Row>
            ),
        },
      ]}
    />
  );
}
