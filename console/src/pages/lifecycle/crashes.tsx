import { useAddressParam } from '../../shared/address.ts';
import { dataOf } from '../../shared/api/control.ts';
import { useAction } from '../../shared/api/use-action.ts';
import { useData } from '../../shared/api/use-data.ts';
import { count } from '../../shared/format/numbers.ts';
import { Time } from '../../shared/format/time.tsx';
import { useMayChange } from '../../shared/session.ts';
import { StateBadge } from '../../shared/ui/badge.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { Select } from '../../shared/ui/field.tsx';
import { Facts, Row, Section, Stack } from '../../shared/ui/layout.tsx';
import { FailureNotice } from '../../shared/ui/notice.tsx';
import { Table } from '../../shared/ui/table.tsx';
import { type AppName, type ErrorGroup, lifecycle } from './api.ts';
import { usePeriod } from './period.ts';
import { PeriodChoice } from './period-choice.tsx';
import { StackTrace } from './stack-trace.tsx';

const ON = ['/logs', '/v0.1/apps'] as const;
const GROUP = '/v0.1/apps/{owner_name}/{app_name}/errors/errorGroups/{errorGroupId}';

/** Crashes and handled errors, grouped by where they happened; the open group below the list. */
export function Crashes({ name }: { readonly name: AppName }) {
  const { days, choose, start } = usePeriod();
  const [open, setOpen] = useAddressParam('group');
  const groups = useData(
    ['lifecycle', 'groups', name, start],
    (signal) =>
      dataOf(
        lifecycle.GET('/v0.1/apps/{owner_name}/{app_name}/errors/errorGroups', {
          params: { path: name, query: { start, $orderby: 'count desc' } },
          signal,
        }),
      ),
    { on: ON, keepPrevious: true },
  );
  const list = groups.data?.errorGroups ?? [];
  const opened = list.find(({ errorGroupId }) => errorGroupId === open);
  return (
    <Stack>
      <PeriodChoice days={days} choose={choose} />
      <FailureNotice failure={groups.failure} what="The crashes" />
      <Table
        label="Groups of crashes and errors"
        items={list}
        keyOf={({ errorGroupId }) => errorGroupId}
        empty="No crash and no error was reported in this period."
        columns={[
          {
            title: 'Where',
            cell: (group) => (
              <Button look="quiet" onPress={() => setOpen(group.errorGroupId)}>
                {group.exceptionClassName ?? group.exceptionType}
                {group.exceptionMethod === undefined ? '' : `.${group.exceptionMethod}`}
              </Button>
            ),
          },
          { title: 'Version', cell: ({ appVersion }) => appVersion },
          { title: 'Count', isNumber: true, cell: (group) => count(group.count) },
          { title: 'Devices', isNumber: true, cell: ({ deviceCount }) => count(deviceCount) },
          { title: 'Last', cell: ({ lastOccurrence }) => <Time at={lastOccurrence} /> },
          { title: 'State', cell: ({ state }) => <StateBadge state={state} /> },
        ]}
      />
      {opened && <Group key={opened.errorGroupId} name={name} group={opened} start={start} after={groups.readAgain} />}
    </Stack>
  );
}

interface GroupProps {
  readonly name: AppName;
  readonly group: ErrorGroup;
  readonly start: string;
  readonly after: () => void;
}

const STATES = ['open', 'closed', 'ignored'] as const;

function Group({ name, group, start, after }: GroupProps) {
  const mayChange = useMayChange();
  const path = { ...name, errorGroupId: group.errorGroupId };
  const reports = useData(
    ['lifecycle', 'reports', path, start],
    (signal) => dataOf(lifecycle.GET(`${GROUP}/errors`, { params: { path, query: { start } }, signal })),
    { on: ['/logs'] },
  );
  const change = useAction(
    (state: ErrorGroup['state']) => dataOf(lifecycle.PATCH(GROUP, { params: { path }, body: { state } })),
    { done: 'The state of the group was changed.', after },
  );
  return (
    <Section
      title={group.exceptionMessage ?? group.exceptionType}
      actions={
        mayChange && (
          <Row>
            <Select
              label="State of the group"
              hideLabel
              value={group.state}
              onChange={(state) => void change.run(state)}
              choices={STATES.map((value) => ({ value, label: value }))}
            />
          </Row>
        )
      }
    >
      <Facts
        facts={[
          { label: 'Exception', value: group.exceptionType },
          { label: 'Version and build', value: `${group.appVersion} (${group.appBuild})` },
          { label: 'First', value: <Time at={group.firstOccurrence} /> },
        ]}
      />
      <StackTrace path={path} />
      <Table
        label="Reports"
        items={reports.data?.errors ?? []}
        keyOf={({ errorId }) => errorId}
        empty="The reports of this group are no longer kept."
        columns={[
          { title: 'Reported', cell: ({ timestamp }) => <Time at={timestamp} /> },
          { title: 'Device', cell: ({ deviceName }) => deviceName },
          { title: 'System', cell: ({ osType, osVersion }) => [osType, osVersion].filter(Boolean).join(' ') },
          { title: 'Attachments', cell: ({ hasAttachments }) => (hasAttachments ? 'yes' : 'no') },
        ]}
      />
    </Section>
  );
}
