import { bodyOf, CONSOLE_HEADERS } from '../../shared/api/control.ts';
import { failureOf } from '../../shared/api/failure.ts';
import { useData } from '../../shared/api/use-data.ts';
import { bytes } from '../../shared/format/numbers.ts';
import { Row, Stack } from '../../shared/ui/layout.tsx';
import { CodeBlock, FailureNotice, Notice } from '../../shared/ui/notice.tsx';

interface Props {
  readonly path: string;
  readonly size: number;
  /** The name of the file in which a browser stores the mail. */
  readonly name: string;
}

/** More is not readable, and would make the page slow. */
const MOST_BYTES = 512 * 1024;

/** A mail as MIME. */
export function Source({ path, size, name }: Props) {
  const isShown = size <= MOST_BYTES;
  const source = useData(['mail', 'source', path], (signal) => readText(path, signal), { enabled: isShown });
  return (
    <Stack>
      <Row>
        <a href={path} download={name}>
          Download as .eml
        </a>
      </Row>
      <FailureNotice failure={source.failure} what="The source" />
      {!isShown && <Notice title={`The source has ${bytes(size)}, so it is not shown here.`} />}
      {source.data !== undefined && <CodeBlock text={source.data} label="Copy the source" />}
    </Stack>
  );
}

async function readText(path: string, signal: AbortSignal): Promise<string> {
  const response = await fetch(path, { headers: CONSOLE_HEADERS, cache: 'no-store', signal });
  if (!response.ok) throw failureOf(response.status, await bodyOf(response));
  return response.text();
}
