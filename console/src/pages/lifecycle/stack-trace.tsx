import { dataOf } from '../../shared/api/control.ts';
import { useData } from '../../shared/api/use-data.ts';
import { FailureNotice, Notice } from '../../shared/ui/notice.tsx';
import { type AppName, lifecycle } from './api.ts';
import styles from './stack-trace.module.css';

interface Props {
  readonly path: AppName & { readonly errorGroupId: string };
}

/** The stack of the newest report of a group; frames of the app's own code stand out. */
export function StackTrace({ path }: Props) {
  const trace = useData(['lifecycle', 'trace', path], (signal) =>
    dataOf(
      lifecycle.GET('/v0.1/apps/{owner_name}/{app_name}/errors/errorGroups/{errorGroupId}/stacktrace', {
        params: { path },
        signal,
      }),
    ),
  );
  if (!trace.data) return <FailureNotice failure={trace.failure} what="The stack trace" />;
  const { exception, threads } = trace.data;
  const frames = exception?.frames ?? threads[0]?.frames ?? [];
  if (frames.length === 0) return <Notice>The report has no stack.</Notice>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <ol className={styles.stack} tabIndex={0} aria-label="Stack trace">
      {frames.map((frame, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: frames repeat and never change places
        <li key={index} className={frame.app_code ? styles.own : styles.foreign}>
          {frame.code_formatted || frame.code_raw}
        </li>
      ))}
    </ol>
  );
}
