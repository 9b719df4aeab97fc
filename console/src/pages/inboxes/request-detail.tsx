import { control, dataOf } from '../../shared/api/control.ts';
import { useData } from '../../shared/api/use-data.ts';
import { bytes, milliseconds } from '../../shared/format/numbers.ts';
import { Time } from '../../shared/format/time.tsx';
import { useKeys } from '../../shared/keys.tsx';
import { Badge, StatusBadge } from '../../shared/ui/badge.tsx';
import { copyText } from '../../shared/ui/clipboard.ts';
import { CopyButton } from '../../shared/ui/copy.tsx';
import { Detail } from '../../shared/ui/detail.tsx';
import { JsonView } from '../../shared/ui/json-view.tsx';
import { Facts, Stack } from '../../shared/ui/layout.tsx';
import { CodeBlock, Notice } from '../../shared/ui/notice.tsx';
import { Table } from '../../shared/ui/table.tsx';
import { Tabs } from '../../shared/ui/tabs.tsx';
import { useToasts } from '../../shared/ui/toasts.tsx';
import type { ReceivedRequest } from './api.ts';
import { curlOf } from './curl.ts';
import { shortPath } from './received.tsx';

interface Props {
  readonly name: string;
  readonly id: string;
}

/** One request that an inbox has received. */
export function RequestDetail({ name, id }: Props) {
  const toasts = useToasts();
  const request = useData(
    ['inbox', name, id],
    (signal) => dataOf(control.GET('/_jar/inbox/{name}/requests/{id}', { params: { path: { name, id } }, signal })),
    // A request never changes; it disappears with the inbox.
    { on: [`/_jar/inbox/${name}/requests`] },
  );
  const { data, failure } = request;
  const copy = async (): Promise<void> => {
    if (!data) return;
    await copyText(curlOf(data));
    toasts.show({ tone: 'success', message: 'The request is copied as curl.' });
  };
  useKeys([{ key: 'c', does: 'Copy as curl', run: () => void copy() }]);
  if (!data || failure?.code === 'NoSuchRequest')
    return (
      <Detail kind="Received request" title={id} failure={failure}>
        {null}
      </Detail>
    );
  const { method, path, answered, handshake } = data;
  return (
    <Detail
      kind={`Received request ${id}`}
      title={`${method} ${shortPath(path, name)}`}
      failure={failure}
      badges={
        <>
          <StatusBadge status={answered.status} />
          {handshake && <Badge tone={handshake.answered ? 'success' : 'warning'}>handshake</Badge>}
          <Time at={data.at} />
        </>
      }
      actions={<CopyButton text={() => curlOf(data)} label="Copy as curl" labelled />}
    >
      <Tabs
        label="Received request"
        tabs={[
          { id: 'body', title: 'Body', content: () => <Body request={data} /> },
          { id: 'headers', title: 'Headers', content: () => <Headers request={data} /> },
          { id: 'curl', title: 'curl', content: () => <CodeBlock text={curlOf(data)} label="Copy the command" /> },
          { id: 'json', title: 'JSON', content: () => <JsonView value={data} /> },
        ]}
      />
    </Detail>
  );
}

function Body({ request }: { readonly request: ReceivedRequest }) {
  const { body, bodyEncoding, bodyBytes, truncated } = request;
  return (
    <Stack>
      <Verdict request={request} />
      <h3>Body, {bytes(bodyBytes)}</h3>
      {truncated && <Notice title="Only the beginning of the body is kept." />}
      {bodyEncoding === 'base64' && <Notice title="The body is not text; it is shown as base64." />}
      {body === '' ? <p>The request has no body.</p> : <JsonView value={body} label="Copy the body" />}
    </Stack>
  );
}

/** How the inbox answered, and why. */
function Verdict({ request: { handshake, answered } }: { readonly request: ReceivedRequest }) {
  const slow = answered.delayMs === undefined ? '' : `, ${milliseconds(answered.delayMs)} late`;
  if (handshake?.answered)
    return <Notice tone="success" title={`A handshake (${handshake.kind}), to which the inbox agreed${slow}.`} />;
  if (handshake)
    return (
      <Notice tone="warning" title={`A handshake (${handshake.kind}), to which the inbox did not agree.`}>
        {handshake.url === undefined ? (
          'The sender delivers nothing until a handshake succeeds.'
        ) : (
          <>
            Open this address to agree by hand:
            <CodeBlock text={handshake.url} label="Copy the address" />
          </>
        )}
      </Notice>
    );
  return answered.status >= 300 ? (
    <Notice tone="warning" title={`The inbox answered ${answered.status}${slow}, as it was told to.`} />
  ) : (
    <Notice tone="success" title={`The inbox answered ${answered.status}${slow}.`} />
  );
}

const textOf = (value: string | readonly string[]): string => (typeof value === 'string' ? value : value.join(', '));

function Headers({ request: { headers, query, path, at } }: { readonly request: ReceivedRequest }) {
  return (
    <Stack>
      <Facts
        facts={[
          { label: 'Path', value: path },
          { label: 'Received', value: at },
        ]}
      />
      {Object.keys(query).length > 0 && (
        <Table
          label="Query"
          items={Object.entries(query)}
          keyOf={([name]) => name}
          columns={[
            { title: 'Parameter', cell: ([name]) => name },
            { title: 'Value', cell: ([, value]) => textOf(value) },
          ]}
        />
      )}
      <Table
        label="Headers"
        items={Object.entries(headers)}
        keyOf={([name]) => name}
        columns={[
          { title: 'Header', cell: ([name]) => name },
          { title: 'Value', cell: ([, value]) => textOf(value) },
        ]}
        empty="The request has no headers."
      />
    </Stack>
  );
}
