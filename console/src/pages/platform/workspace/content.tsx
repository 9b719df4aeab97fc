import { useData } from '../../../shared/api/use-data.ts';
import { Stack } from '../../../shared/ui/layout.tsx';
import { CodeBlock, FailureNotice, Notice } from '../../../shared/ui/notice.tsx';
import { usePlatform } from '../api.ts';
import { To } from '../place.tsx';
import { WORKSPACE, WORKSPACE_CHANGE, type WorkspaceObject } from './api.ts';

/** Larger files are not fetched. */
const MOST_BYTES = 1024 * 1024;

/** The source of a notebook, or the text of a file. */
export function Content({
  object: { path, object_type: type, object_id: id, size = 0 },
}: {
  readonly object: WorkspaceObject;
}) {
  const platform = usePlatform();
  const isReadable = (type === 'NOTEBOOK' || type === 'FILE') && size <= MOST_BYTES;
  const content = useData(
    [platform.key, 'content', path],
    async (signal) => {
      const answer = await platform.get<{ readonly content: string }>(
        `${WORKSPACE}/export`,
        { path, format: 'SOURCE' },
        signal,
      );
      return textOf(answer.content);
    },
    { on: WORKSPACE_CHANGE, enabled: isReadable },
  );
  if (type === 'MLFLOW_EXPERIMENT') return <To to={['experiments', String(id)]}>The experiment</To>;
  if (!isReadable)
    return <Notice>{size > MOST_BYTES ? 'The file is too large to be shown.' : 'It has no text.'}</Notice>;
  const { data } = content;
  return (
    <Stack>
      <FailureNotice failure={content.failure} what="The content" />
      {data === null && <Notice>The file is no text.</Notice>}
      {typeof data === 'string' && <CodeBlock text={data} label="Copy the text" />}
    </Stack>
  );
}

/** Bytes in base64 as text; null if they are none. */
function textOf(base64: string): string | null {
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}
