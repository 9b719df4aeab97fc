import { count } from '../../shared/format/numbers.ts';
import { Time } from '../../shared/format/time.tsx';
import { Badge } from '../../shared/ui/badge.tsx';
import { Section, Stack } from '../../shared/ui/layout.tsx';
import { Table } from '../../shared/ui/table.tsx';
import { Activity } from './activity.tsx';
import type { FullGroup } from './api.ts';
import styles from './events.module.css';
import { describe, toneOf } from './states-over-time.tsx';

/** What the engine reported, and every state that is kept, the newest first. */
export function Events({ group }: { readonly group: FullGroup }) {
  const { events, containerStates, history } = group;
  const all = [
    ...events.map((event) => ({ ...event, about: 'group' })),
    ...containerStates.flatMap(({ name, events: own }) => own.map((event) => ({ ...event, about: name }))),
  ].toSorted((one, other) => other.lastAt.localeCompare(one.lastAt));
  return (
    <Stack>
      <Section title="Events">
        <Table
          label="Events"
          items={all}
          keyOf={({ about, name, message, firstAt }) => `${about} ${name} ${firstAt} ${message}`}
          empty="The engine has reported nothing yet."
          columns={[
            { title: 'Last', cell: ({ lastAt }) => <Time at={lastAt} /> },
            { title: 'Of', cell: ({ about }) => about },
            {
              title: 'Event',
              cell: (event) => (
                <Badge tone={event.type === 'Warning' ? 'warning' : 'neutral'}>
                  {event.count > 1 ? `${event.name} × ${count(event.count)}` : event.name}
                </Badge>
              ),
            },
            {
              title: 'Message',
              cell: ({ message }) => (
                <span className={styles.message} title={message}>
                  {withShortDigests(message)}
                </span>
              ),
            },
          ]}
        />
      </Section>
      <Section title="States">
        <Table
          label="States of the containers"
          items={history.toReversed()}
          keyOf={({ container, at, state }, index) => `${container} ${at} ${state} ${index}`}
          empty="No container has had a state yet."
          columns={[
            { title: 'Since', cell: ({ at }) => <Time at={at} /> },
            { title: 'Container', cell: ({ container }) => container },
            { title: 'State', cell: (record) => <Badge tone={toneOf(record)}>{record.state}</Badge> },
            { title: 'What', cell: (record) => describe(record) },
          ]}
        />
      </Section>
      <Section title="Changes">
        <Activity group={group} />
      </Section>
    </Stack>
  );
}

const withShortDigests = (message: string): string => message.replace(/(sha256:[0-9a-f]{8})[0-9a-f]{56}/g, '$1…');
