import { useNow } from '../../shared/format/now.tsx';
import { longSpan } from '../../shared/format/times.ts';
import { StateBadge } from '../../shared/ui/badge.tsx';
import { Select } from '../../shared/ui/field.tsx';
import { Page } from '../../shared/ui/layout.tsx';
import { FailureNotice, Notice } from '../../shared/ui/notice.tsx';
import { DueWork } from './due-work.tsx';
import { Failures } from './failures.tsx';
import { FirstSteps } from './first-steps.tsx';
import { JarFacts } from './jar-facts.tsx';
import { Limits } from './limits.tsx';
import styles from './overview.module.css';
import { Pulse } from './pulse.tsx';
import { Services } from './services.tsx';
import { type Overview, PERIODS, useOverview, usePeriod } from './use-overview.ts';

/** The jar at a glance: what it does, what failed last, what waits, and what is nearly used up. */
export default function OverviewPage() {
  const [period, setPeriod] = usePeriod();
  const { data, failure } = useOverview(period);
  return (
    <Page
      title="Overview"
      about={data && <About overview={data} />}
      actions={<Select label="Period" hideLabel value={period} onChange={setPeriod} choices={PERIODS} />}
    >
      <FailureNotice failure={failure} what="The overview" />
      {data && <Loaded overview={data} />}
    </Page>
  );
}

function Loaded({ overview }: { readonly overview: Overview }) {
  const { health, services } = overview;
  const isUnused = services.every(({ lastAt }) => lastAt === null);
  return (
    <>
      {health.troubles && health.troubles.length > 0 && (
        <Notice tone="warning" title="The jar is degraded.">
          {health.troubles.map(({ part, reason }) => (
            <span key={part}>
              {part}: {reason}
            </span>
          ))}
        </Notice>
      )}
      {isUnused && <FirstSteps />}
      <Pulse overview={overview} />
      <div className={styles.columns}>
        <div className={styles.column}>
          <Failures overview={overview} />
          <Services services={services} />
        </div>
        <div className={styles.column}>
          <DueWork queues={overview.queues} />
          <Limits limits={overview.limits} />
          <JarFacts overview={overview} />
        </div>
      </div>
    </>
  );
}

/** Whether all is well, and with which jar. */
function About({ overview: { health, version, store, startedAt } }: { readonly overview: Overview }) {
  // Ticks once a second.
  useNow();
  return (
    <span className={styles.about}>
      <StateBadge state={health.status} />
      Cloudjar {version}, {store} store, up for {longSpan(Math.max(0, Date.now() - Date.parse(startedAt)))}
    </span>
  );
}
