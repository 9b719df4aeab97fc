import { useEffect, useRef } from 'react';
import { useAddressParam } from '../../shared/address.ts';
import { askManagement } from '../../shared/api/arm.ts';
import { useData } from '../../shared/api/use-data.ts';
import { useNow } from '../../shared/format/now.tsx';
import { counted } from '../../shared/format/numbers.ts';
import { classes } from '../../shared/style/class-names.ts';
import { CopyButton } from '../../shared/ui/copy.tsx';
import { Select, Switch, TextField } from '../../shared/ui/field.tsx';
import { Row, Soft, Stack } from '../../shared/ui/layout.tsx';
import { FailureNotice, Notice } from '../../shared/ui/notice.tsx';
import { type ContainerStates, containerPath, type FullGroup, SIGNALS } from './api.ts';
import { ContainerChoice, useContainer } from './container-choice.tsx';
import { linesOf, matching } from './log-lines.ts';
import styles from './logs.module.css';

const TAILS = [
  { value: '100', label: 'Last 100 lines' },
  { value: '1000', label: 'Last 1,000 lines' },
  { value: '10000', label: 'Last 10,000 lines' },
] as const;

/** Output is no event of the jar, so no signal announces it. */
const FOLLOW_MS = 1_000;

/** The log of one container, followed while it grows. */
export function Logs({ group }: { readonly group: FullGroup }) {
  const { container } = useContainer(group);
  const [tail = '1000', setTail] = useAddressParam('tail');
  const [times, setTimes] = useAddressParam('times');
  const [stopped, setStopped] = useAddressParam('hold');
  const [wanted = '', setWanted] = useAddressParam('find');
  return (
    <Stack>
      <Row align="end">
        <ContainerChoice group={group} />
        <Select
          label="Length"
          value={TAILS.find(({ value }) => value === tail)?.value ?? '1000'}
          onChange={(value) => setTail(value === '1000' ? undefined : value)}
          choices={TAILS}
        />
        <TextField label="Only lines with" value={wanted} onChange={setWanted} placeholder="text" />
        <Switch
          label="Times"
          isSelected={times !== undefined}
          onChange={(isSelected) => setTimes(isSelected ? 'on' : undefined)}
        />
        <Switch
          label="Follow"
          isSelected={stopped === undefined}
          onChange={(isSelected) => setStopped(isSelected ? undefined : 'on')}
        />
      </Row>
      {container === undefined || container.run === 0 ? (
        <Notice title="There is no log yet: the container has not run." />
      ) : (
        <Log
          key={container.name}
          group={group}
          container={container}
          query={`&tail=${tail}${times === undefined ? '' : '&timestamps=true'}`}
          wanted={wanted}
          follows={stopped === undefined}
          hold={() => setStopped('on')}
        />
      )}
    </Stack>
  );
}

interface LogProps {
  readonly group: FullGroup;
  readonly container: ContainerStates;
  readonly query: string;
  readonly wanted: string;
  readonly follows: boolean;
  readonly hold: () => void;
}

const NEAR_END_PX = 40;

function Log({ group, container, query, wanted, follows, hold }: LogProps) {
  const { mode } = useNow();
  const grows = container.current.state === 'Running' && mode !== 'virtual';
  const log = useData(
    ['containers', 'log', group.uid, container.name, query],
    async (signal) => {
      const path = containerPath(group, container.name, 'logs', query);
      return (await askManagement<{ readonly content: string }>(path, { signal })).body.content;
    },
    {
      on: SIGNALS,
      keepPrevious: true,
      // While a group is changed, its API has no logs to give.
      enabled: group.transition === undefined || group.containerStates.some(({ retryAt }) => retryAt !== undefined),
      everyMs: grows && follows ? FOLLOW_MS : undefined,
    },
  );
  const frame = useRef<HTMLElement>(null);
  const lines = linesOf(log.data ?? '');
  const shown = matching(lines, wanted);
  const text = shown.join('\n');
  // biome-ignore lint/correctness/useExhaustiveDependencies: new text moves the end
  useEffect(() => {
    if (follows && frame.current) frame.current.scrollTop = frame.current.scrollHeight;
  }, [text, follows]);
  const scrolled = (): void => {
    const { current } = frame;
    if (!current || !follows) return;
    if (current.scrollHeight - current.scrollTop - current.clientHeight > NEAR_END_PX) hold();
  };
  return (
    <>
      <FailureNotice failure={log.failure} what="The log" />
      <div className={styles.frame}>
        <div className={styles.copy}>
          <CopyButton text={text} label="Copy the log" />
        </div>
        <section
          ref={frame}
          className={styles.log}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
          tabIndex={0}
          aria-label={`Log of ${container.name}`}
          onScroll={scrolled}
        >
          <pre className={classes(log.isStale && styles.stale)}>{text}</pre>
          {text === '' && (
            <Soft>{lines.length === 0 ? 'The container has written nothing.' : 'No line has this text.'}</Soft>
          )}
        </section>
      </div>
      <Soft>
        {wanted === '' ? counted(lines.length, 'line') : `${shown.length} of ${counted(lines.length, 'line')}`}
        {grows && follows ? ', followed' : ''}
        {!follows && grows ? ', held: switch on Follow to see new lines' : ''}
      </Soft>
    </>
  );
}
