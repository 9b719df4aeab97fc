import { KeyRound, RotateCcw } from 'lucide-react';
import { useState } from 'react';
import { control, dataOf } from '../../shared/api/control.ts';
import type { Failure } from '../../shared/api/failure.ts';
import { useData } from '../../shared/api/use-data.ts';
import { milliseconds } from '../../shared/format/numbers.ts';
import { useKeys } from '../../shared/keys.tsx';
import { useMayChange } from '../../shared/session.ts';
import { Badge, StatusBadge } from '../../shared/ui/badge.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { copyText } from '../../shared/ui/clipboard.ts';
import { CopyButton, CopyId } from '../../shared/ui/copy.tsx';
import { Detail } from '../../shared/ui/detail.tsx';
import { JsonView } from '../../shared/ui/json-view.tsx';
import { Soft, Stack } from '../../shared/ui/layout.tsx';
import { CodeBlock, Notice } from '../../shared/ui/notice.tsx';
import { Tabs } from '../../shared/ui/tabs.tsx';
import { useToasts } from '../../shared/ui/toasts.tsx';
import type { Request } from './columns.tsx';
import { curlOf, lossOf, type RequestDocument } from './curl.ts';
import { Message } from './message.tsx';
import styles from './requests.module.css';
import { Summary } from './summary.tsx';
import { useSendAgain } from './use-send-again.ts';

interface Props {
  readonly id: string;
  /** What the list knows, if the request is in it: under load, the jar forgets requests within seconds. */
  readonly row: Request | undefined;
}

/** One request: what happened and why, its headers and bodies, as curl, to send again. */
export function RequestDetail({ id, row }: Props) {
  // The list moves on, too.
  const [known] = useState(row);
  const read = useData(['request', id], (signal) =>
    dataOf(control.GET('/_jar/requests/{id}', { params: { path: { id } }, signal })),
  );
  const isForgotten = read.failure?.code === 'RequestForgotten';
  // What the list knows is shown at once.
  const request: RequestDocument | undefined = read.data ?? known;
  if (!request)
    return (
      <Detail kind="Request" title={id} failure={read.failure}>
        {null}
      </Detail>
    );
  return (
    <>
      {isForgotten && !read.data && (
        <Notice tone="warning" title="The jar has forgotten this request.">
          Newer requests have taken its place. Below is what the list had read; headers and bodies are gone.
        </Notice>
      )}
      <Loaded
        request={request}
        isComplete={read.data !== undefined || isForgotten}
        failure={isForgotten ? undefined : read.failure}
      />
    </>
  );
}

interface LoadedProps {
  readonly request: RequestDocument;
  /** Headers and bodies are there, if the jar has them. */
  readonly isComplete: boolean;
  readonly failure: Failure | undefined;
}

function Loaded({ request, isComplete, failure }: LoadedProps) {
  const { id, direction, method, path, target, status, ms, service, fault } = request;
  const isInbound = direction === 'inbound';
  const curl = isInbound && isComplete ? curlOf(request, location.origin) : undefined;
  const toasts = useToasts();
  const copy = async (text: string): Promise<void> => {
    await copyText(text);
    toasts.show({ tone: 'success', message: 'Copied as curl.' });
  };
  useKeys(curl === undefined ? [] : [{ key: 'c', does: 'Copy as curl', run: () => void copy(curl) }]);
  return (
    <Detail
      kind={isInbound ? 'Request' : 'Message of the jar'}
      failure={failure}
      title={
        <span className={styles.url}>
          {method} {path ?? target}
        </span>
      }
      badges={
        <>
          <StatusBadge status={status} />
          <Badge>{milliseconds(ms)}</Badge>
          <Badge>{service}</Badge>
          {fault !== undefined && <Badge tone="warning">fault {fault}</Badge>}
          <CopyId id={id} length={24} />
        </>
      }
      actions={
        <>
          <SendAgain request={request} />
          {curl !== undefined && <CopyButton text={curl} label="Copy as curl" labelled />}
        </>
      }
    >
      <Tabs
        label="Request"
        tabs={[
          { id: 'summary', title: 'Summary', content: () => <Summary request={request} /> },
          isInbound && {
            id: 'request',
            title: 'Request',
            content: () => isComplete && <Message message={request.request} what="request" />,
          },
          isInbound && {
            id: 'response',
            title: 'Response',
            content: () => isComplete && <Message message={request.response} what="response" />,
          },
          isInbound && {
            id: 'curl',
            title: 'curl',
            content: () =>
              curl !== undefined && (
                <Stack>
                  <CodeBlock text={curl} label="Copy the command" />
                  <Soft>{lossOf(request)}</Soft>
                </Stack>
              ),
          },
          { id: 'json', title: 'JSON', content: () => <JsonView value={request} /> },
        ]}
      />
    </Detail>
  );
}

function SendAgain({ request }: { readonly request: RequestDocument }) {
  const mayChange = useMayChange();
  const { send, isSending } = useSendAgain(request);
  useKeys(mayChange ? [{ key: 'r', does: 'Send again', run: () => send('original') }] : []);
  if (!mayChange) return null;
  const hasToken = request.request?.headers.authorization !== undefined;
  return (
    <>
      <Button onPress={() => send('original')} isDisabled={isSending}>
        <RotateCcw size={14} aria-hidden /> Send again
      </Button>
      {hasToken && (
        <Button onPress={() => send('fresh')} isDisabled={isSending}>
          <KeyRound size={14} aria-hidden /> With a fresh token
        </Button>
      )}
    </>
  );
}
