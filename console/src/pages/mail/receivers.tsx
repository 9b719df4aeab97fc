import { control, dataOf } from '../../shared/api/control.ts';
import { useAction } from '../../shared/api/use-action.ts';
import { useData } from '../../shared/api/use-data.ts';
import { count } from '../../shared/format/numbers.ts';
import { Time } from '../../shared/format/time.tsx';
import { useMayChange } from '../../shared/session.ts';
import { Badge } from '../../shared/ui/badge.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { Soft, Stack } from '../../shared/ui/layout.tsx';
import { Empty, FailureNotice } from '../../shared/ui/notice.tsx';
import { Table } from '../../shared/ui/table.tsx';
import type { Receiver } from './api.ts';

const TONES: Readonly<Record<Receiver['state'], 'success' | 'warning' | 'failure'>> = {
  normal: 'success',
  slow: 'warning',
  drop: 'failure',
};

const MOST = 200;

/** Receivers of change notifications, and how fast they answer: a slow one is notified late, and one that stays slow loses notifications. */
export function Receivers() {
  const mayChange = useMayChange();
  const receivers = useData(
    ['mail', 'receivers'],
    (signal) => dataOf(control.GET('/_jar/mail/endpoints', { params: { query: { $top: MOST } }, signal })),
    { on: ['deliveries', 'work', 'clock', '/_jar/mail/endpoints'] },
  );
  const forget = useAction(
    (endpoint: string) => control.DELETE('/_jar/mail/endpoints/{endpoint}', { params: { path: { endpoint } } }),
    { done: 'The receiver is notified at once again.', after: receivers.readAgain },
  );
  const found = receivers.data?.value;
  return (
    <Stack>
      <FailureNotice failure={receivers.failure} what="The receivers" />
      {found?.length === 0 ? (
        <Empty title="No receiver was notified yet">
          Applications subscribe to changes of messages and events with POST /v1.0/subscriptions. Their receivers appear
          here with the first notification.
        </Empty>
      ) : (
        <Table
          label="Receivers of change notifications"
          items={found ?? []}
          keyOf={({ id }) => id}
          columns={[
            { title: 'Receiver', cell: ({ address }) => address },
            {
              title: 'State',
              cell: ({ state, until }) => (
                <>
                  <Badge tone={TONES[state]}>{state}</Badge>{' '}
                  {until !== null && (
                    <Soft>
                      until <Time at={until} />
                    </Soft>
                  )}
                </>
              ),
            },
            { title: 'Answers in 10 min', isNumber: true, cell: ({ answers }) => count(answers) },
            { title: 'Over 3 s', isNumber: true, cell: ({ slow }) => count(slow) },
            { title: 'Over 10 s', isNumber: true, cell: ({ late }) => count(late) },
            { title: 'Lost', isNumber: true, cell: ({ lost }) => count(lost) },
            { title: 'Last', cell: ({ lastAt }) => <Time at={lastAt} /> },
            {
              title: 'Reset',
              cell: ({ id }) => mayChange && <Button onPress={() => void forget.run(id)}>Reset</Button>,
            },
          ]}
        />
      )}
    </Stack>
  );
}
