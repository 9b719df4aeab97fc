import { Link } from 'wouter';
import { addressOf, useSegments } from '../../shared/address.ts';
import { count } from '../../shared/format/numbers.ts';
import { useFrame } from '../../shared/live/live.tsx';
import { Page, Stack } from '../../shared/ui/layout.tsx';
import { WORK } from './addresses.ts';
import { Advance } from './advance.tsx';
import { ClockFigures } from './clock-figures.tsx';
import { DueNext } from './due-next.tsx';
import styles from './sections.module.css';
import { WorkList } from './work-list.tsx';

/** The clock of the jar: what is due next, what an advance would run, and what it ran. */
export default function Time() {
  const [section, id] = useSegments('time');
  const isList = section === WORK;
  return (
    <Page
      title="Time"
      about="The jar's clock, what is due, and what an advance runs."
      isFull={isList}
      actions={<Sections isList={isList} />}
    >
      {isList ? (
        <WorkList open={id} />
      ) : (
        <Stack>
          <ClockFigures />
          <Advance />
          <DueNext />
        </Stack>
      )}
    </Page>
  );
}

function Sections({ isList }: { readonly isList: boolean }) {
  const work = useFrame()?.work;
  const total = work && work.waiting + work.leased + work.parked;
  const here = { 'aria-current': 'page' } as const;
  return (
    <nav className={styles.sections} aria-label="Sections of the page">
      <Link href={addressOf('time')} className={styles.section} {...(!isList && here)}>
        Clock
      </Link>
      <Link href={addressOf('time', WORK)} className={styles.section} {...(isList && here)}>
        Due work{total === undefined ? '' : ` (${count(total)})`}
      </Link>
    </nav>
  );
}
