import { Link } from 'wouter';
import { addressOf } from '../../shared/address.ts';
import { type JarNow, NOTABLE_OFFSET_MS, useNow } from '../../shared/format/now.tsx';
import { count } from '../../shared/format/numbers.ts';
import { Time } from '../../shared/format/time.tsx';
import { exact, longSpan } from '../../shared/format/times.ts';
import { useFrame } from '../../shared/live/live.tsx';
import { Figure } from '../../shared/ui/layout.tsx';
import { WORK } from './addresses.ts';
import styles from './sections.module.css';

/** The clock and the numbers of due work; each number leads to its items. */
export function ClockFigures() {
  const frame = useFrame();
  const clock = useNow();
  if (!frame) return null;
  const { nextDue, work } = frame;
  const list = addressOf('time', WORK);
  return (
    <div className={styles.figures}>
      <Figure label="Now" value={exact(clock.now).slice(11, 19)} note={`${exact(clock.now).slice(0, 10)} UTC`} />
      <Figure label="Clock" value={clock.mode} note={noteOf(clock)} />
      <Figure
        label="Next due"
        value={nextDue === null ? 'nothing' : <Time at={nextDue} />}
        note={nextDue === null ? 'No work is scheduled' : exact(Date.parse(nextDue)).replace(/\.\d+/, '')}
      />
      {work && (
        <>
          <Figure
            label="Waiting"
            value={count(work.waiting + work.leased)}
            note={
              <Link href={`${list}?show=waiting`}>{work.leased > 0 ? `${work.leased} running` : 'Waiting work'}</Link>
            }
          />
          <Figure
            label="Parked"
            value={count(work.parked)}
            tone={work.parked > 0 ? 'failure' : undefined}
            note={<Link href={`${list}?show=parked`}>Given up after failures</Link>}
          />
        </>
      )}
    </div>
  );
}

function noteOf({ mode, offset }: JarNow): string {
  const distance =
    Math.abs(offset) > NOTABLE_OFFSET_MS
      ? `${longSpan(Math.abs(offset))} ${offset > 0 ? 'ahead of' : 'behind'} the system`
      : 'the same as the system';
  if (mode === 'virtual') return `Stands still, ${distance}`;
  return mode === 'shifted' ? `Runs, ${distance}` : 'Cannot be moved';
}
