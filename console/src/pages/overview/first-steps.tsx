import { CURL } from '../../shared/format/shell.ts';
import { Section, Soft } from '../../shared/ui/layout.tsx';
import { CodeBlock } from '../../shared/ui/notice.tsx';
import styles from './overview.module.css';

/** What to do first with a jar that nobody has used since it started: a token, a resource, a webhook. */
export function FirstSteps() {
  return (
    <Section title="First steps">
      <Soft>
        Nobody has used a service of this jar since it started. Paste these commands into a shell and watch them appear
        below.
      </Soft>
      <ol className={styles.steps}>
        {stepsAt(location.origin).map(({ title, command }) => (
          <li key={title} className={styles.step}>
            <h3>{title}</h3>
            <CodeBlock text={command} label={`Copy: ${title}`} />
          </li>
        ))}
      </ol>
    </Section>
  );
}

const SUBSCRIPTION = '10000000-0000-4000-8000-0000000000f1';

function stepsAt(origin: string) {
  return [
    { title: 'Get a token', command: 'TOKEN=$(npx cloudjar token)' },
    {
      title: 'Create a resource',
      command: [
        `${CURL} -X PUT "${origin}/subscriptions/${SUBSCRIPTION}/resourceGroups/first?api-version=2021-04-01"`,
        '-H "Authorization: Bearer $TOKEN"',
        `-H 'Content-Type: application/json' -d '{"location":"westeurope"}'`,
      ].join(' \\\n  '),
    },
    {
      title: 'Send something to a webhook inbox',
      command: `${CURL} ${origin}/_jar/inbox/first \\\n  -d '{"hello":"jar"}'`,
    },
  ];
}
