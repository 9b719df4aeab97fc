import { lazy, Suspense } from 'react';
import { Link } from 'wouter';
import { useSegments } from '../../shared/address.ts';
import { Page, Soft } from '../../shared/ui/layout.tsx';
import { usePlace } from './place.tsx';
import styles from './view.module.css';
import { WorkspaceChoice } from './workspace-choice.tsx';

/** Each section is loaded when somebody goes there; its id is the segment of its addresses. */
const SECTIONS = [
  { id: 'jobs', title: 'Jobs', view: lazy(() => import('./jobs/view.tsx')) },
  { id: 'runs', title: 'Runs', view: lazy(() => import('./runs/view.tsx')) },
  { id: 'experiments', title: 'Experiments', view: lazy(() => import('./experiments/view.tsx')) },
  { id: 'registry', title: 'Models', view: lazy(() => import('./registry/view.tsx')) },
  { id: 'workspace', title: 'Workspace', view: lazy(() => import('./workspace/view.tsx')) },
  { id: 'catalog', title: 'Catalog', view: lazy(() => import('./catalog/view.tsx')) },
  { id: 'secrets', title: 'Secrets', view: lazy(() => import('./secrets/view.tsx')) },
  { id: 'compute', title: 'Compute', view: lazy(() => import('./compute/view.tsx')) },
  { id: 'limits', title: 'Limits', view: lazy(() => import('./limits/view.tsx')) },
] as const;

/** The data platform: what runs, what was measured, what is stored, and how much of it is allowed. */
export default function DataPlatform() {
  const [section] = useSegments('platform');
  const place = usePlace();
  const shown = SECTIONS.find(({ id }) => id === section) ?? SECTIONS[0];
  return (
    <Page
      title="Data platform"
      about="Jobs, experiments, files, tables and secrets of a workspace."
      actions={<WorkspaceChoice />}
      isFull
    >
      <nav className={styles.sections} aria-label="Sections">
        {SECTIONS.map(({ id, title }) => (
          <Link
            key={id}
            href={place(id)}
            className={styles.section}
            {...(id === shown.id && { 'aria-current': 'page' as const })}
          >
            {title}
          </Link>
        ))}
      </nav>
      <div className={styles.shown} key={shown.id}>
        <Suspense fallback={<Soft>Loading…</Soft>}>
          <shown.view />
        </Suspense>
      </div>
    </Page>
  );
}
