import { Link } from 'wouter';
import { control, dataOf } from '../../shared/api/control.ts';
import { useData } from '../../shared/api/use-data.ts';
import { counted } from '../../shared/format/numbers.ts';
import { Time } from '../../shared/format/time.tsx';
import { CopyId } from '../../shared/ui/copy.tsx';
import { Detail } from '../../shared/ui/detail.tsx';
import { JsonView } from '../../shared/ui/json-view.tsx';
import { Facts, Stack } from '../../shared/ui/layout.tsx';
import { Notice } from '../../shared/ui/notice.tsx';
import { Tabs } from '../../shared/ui/tabs.tsx';
import { Way } from '../../shared/ui/way.tsx';
import { type Change, NOTIFIED, recordAddress, STANDARD, useModel } from './api.ts';
import { branchOf } from './change-branch.tsx';

/** One change of a record: which subscriptions watch it, and what each of them was told. */
export function ChangeDetail({ id }: { readonly id: string }) {
  const change = useData(
    ['business', 'change', id],
    (signal) => dataOf(control.GET('/_jar/business/changes/{id}', { params: { path: { id } }, signal })),
    { on: NOTIFIED },
  );
  const { data } = change;
  if (!data)
    return (
      <Detail kind="Change" title={id} failure={change.failure}>
        {null}
      </Detail>
    );
  return (
    <Detail
      kind="Change"
      title={`${data.table} ${data.changeType}`}
      failure={change.failure}
      badges={<CopyId id={data.recordId} length={40} />}
    >
      <Tabs
        label="Change"
        tabs={[
          { id: 'way', title: 'Way', content: () => <ChangeWay change={data} /> },
          { id: 'json', title: 'JSON', content: () => <JsonView value={data} /> },
        ]}
      />
    </Detail>
  );
}

function ChangeWay({ change }: { readonly change: Change }) {
  const { subscriptions, at, user, company, table, changeType } = change;
  return (
    <Stack>
      <Verdict change={change} />
      <Way
        label="Way of the change"
        steps={[
          {
            id: 'changed',
            title: `${table} ${changeType}`,
            tone: 'info',
            children: (
              <Facts
                facts={[
                  { label: 'When', value: <Time at={at} /> },
                  { label: 'By', value: user.name },
                  { label: 'Company', value: company.name },
                  { label: 'Record', value: <RecordLink change={change} /> },
                ]}
              />
            ),
          },
          {
            id: 'watched',
            title:
              subscriptions.length === 0
                ? `No subscription watches ${table}`
                : `Watched by ${counted(subscriptions.length, 'subscription')}`,
            tone: subscriptions.length === 0 ? 'warning' : 'success',
            branches: subscriptions.map(branchOf),
          },
        ]}
      />
    </Stack>
  );
}

/** The record in the set of the standard API that has its table's name, if there is one. */
function RecordLink({ change: { table, company, recordId, changeType } }: { readonly change: Change }) {
  const model = useModel(STANDARD);
  const set = model.data?.sets.get(`${table}s`) ?? model.data?.sets.get(table);
  if (!set || changeType === 'deleted') return <>{recordId}</>;
  return <Link href={recordAddress(STANDARD, company.id, set.name, recordId)}>{recordId}</Link>;
}

/** Were the subscribers told, and if not, why not. */
function Verdict({ change: { subscriptions, summary } }: { readonly change: Change }) {
  if (subscriptions.length === 0) return <Notice tone="warning" title={summary} />;
  const count = (state: string): number => subscriptions.filter((each) => each.state === state).length;
  const all = counted(subscriptions.length, 'subscription');
  const [notified, missed] = [count('notified'), count('not notified')];
  if (notified === subscriptions.length) return <Notice tone="success" title={`All of ${all} notified.`} />;
  if (missed > 0)
    return (
      <Notice tone="failure" title={`${missed} of ${all} not notified.`}>
        The branch of each subscription says by which rule.
      </Notice>
    );
  return (
    <Notice tone="warning" title={`${notified} of ${all} notified so far.`}>
      {count('held') > 0
        ? 'A held change waits for the change of another user.'
        : count('sending') > 0
          ? 'The receiver has not accepted it yet; advancing the clock brings the next attempt.'
          : 'Advancing the clock closes the window and sends what waits.'}
    </Notice>
  );
}
