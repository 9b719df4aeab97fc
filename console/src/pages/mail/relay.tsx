import { Link } from 'wouter';
import { addressOf } from '../../shared/address.ts';
import { control, dataOf } from '../../shared/api/control.ts';
import { useAction } from '../../shared/api/use-action.ts';
import { useData } from '../../shared/api/use-data.ts';
import { counted } from '../../shared/format/numbers.ts';
import { useMayChange } from '../../shared/session.ts';
import { StateBadge } from '../../shared/ui/badge.tsx';
import { Select } from '../../shared/ui/field.tsx';
import { Row, Section, Soft } from '../../shared/ui/layout.tsx';
import { FailureNotice } from '../../shared/ui/notice.tsx';
import { Table } from '../../shared/ui/table.tsx';

const POLICY = 'mail.relay';
const MOST = 5;
/** The destinations of mail to the relay, in fault rules, whose paths begin with a slash, a star or a web address. */
const RELAYS = '*smtp://*';

const ANSWERS = [
  { value: 'works', label: 'The relay works' },
  { value: '451', label: 'It defers mail (451)' },
  { value: '550', label: 'It refuses mail (550)' },
  { value: 'drop', label: 'It hangs up' },
] as const;

type Answer = (typeof ANSWERS)[number]['value'];

/** Mail on its way to the relay, with its last answer, and a switch that makes the relay fail. */
export function Relay() {
  const queued = useData(
    ['mail', 'queued'],
    (signal) => dataOf(control.GET('/_jar/mail/queued', { params: { query: { $top: MOST } }, signal })),
    { on: ['changes', 'work', 'deliveries'] },
  );
  const deliveries = useData(
    ['mail', 'relayed'],
    (signal) => dataOf(control.GET('/_jar/deliveries', { params: { query: { policy: POLICY, $top: MOST } }, signal })),
    { on: ['work', 'deliveries'] },
  );
  const waiting = queued.data?.value.length ?? 0;
  const relayed = deliveries.data?.value ?? [];
  return (
    <Section title="Relay" actions={<RelaySwitch />}>
      <FailureNotice failure={deliveries.failure ?? queued.failure} what="Mail to the relay" />
      {waiting > 0 && <p>{counted(waiting, 'mail')} not delivered to all recipients yet.</p>}
      {relayed.length === 0 ? (
        deliveries.data && (
          <Soft>
            No mail was sent to a relay. The setting <code>relay</code> of the mail service names one.
          </Soft>
        )
      ) : (
        <Table
          label="Mail to the relay"
          items={relayed}
          keyOf={({ id }) => id}
          columns={[
            {
              title: 'Recipient and subject',
              cell: ({ id, subject }) => <Link href={addressOf('deliveries', id)}>{subject ?? id}</Link>,
            },
            { title: 'State', cell: ({ state }) => <StateBadge state={state} /> },
            { title: 'Attempts', isNumber: true, cell: ({ attempts }) => attempts },
            { title: 'Last answer', cell: ({ lastAttempt }) => lastAttempt?.error ?? lastAttempt?.outcome ?? '' },
          ]}
        />
      )}
      {deliveries.data?.nextLink !== undefined && (
        <Link href={`${addressOf('deliveries')}?filter=${encodeURIComponent(`policy eq '${POLICY}'`)}`}>
          All mail to the relay
        </Link>
      )}
    </Section>
  );
}

/** A fault rule for mail to the relay, with its choice; other rules are left alone. */
function RelaySwitch() {
  const mayChange = useMayChange();
  const faults = useData(['mail', 'faults'], (signal) => dataOf(control.GET('/_jar/faults', { signal })), {
    on: ['/_jar/faults', 'deliveries'],
  });
  const own = (faults.data?.value ?? []).filter(
    ({ match }) => match.service === 'mail' && match.direction === 'outbound' && match.path === RELAYS,
  );
  const effect = own[0]?.effect;
  const current: Answer =
    ANSWERS.find(({ value }) => value === String(effect?.status))?.value ?? (effect ? 'drop' : 'works');
  const choose = useAction(
    async (answer: Answer) => {
      for (const { id } of own) await control.DELETE('/_jar/faults/{id}', { params: { path: { id } } });
      if (answer === 'works') return;
      await control.POST('/_jar/faults', {
        body: {
          match: { service: 'mail', direction: 'outbound', path: RELAYS },
          effect: answer === 'drop' ? { drop: true } : { status: Number(answer) },
        },
      });
    },
    { after: faults.readAgain },
  );
  return (
    <Row>
      {mayChange && (
        <Select
          label="What the relay does"
          hideLabel
          value={current}
          choices={ANSWERS}
          onChange={(answer) => void choose.run(answer)}
          isDisabled={choose.isRunning}
        />
      )}
      {own.length > 0 && <Link href={addressOf('faults')}>Fault rule</Link>}
    </Row>
  );
}
