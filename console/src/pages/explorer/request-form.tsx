import { useMemo, useRef, useState } from 'react';
import { control, dataOf } from '../../shared/api/control.ts';
import { asFailure, type Failure } from '../../shared/api/failure.ts';
import { useData } from '../../shared/api/use-data.ts';
import { useKeys } from '../../shared/keys.tsx';
import { useMayChange } from '../../shared/session.ts';
import { Button } from '../../shared/ui/button.tsx';
import { copyText } from '../../shared/ui/clipboard.ts';
import { ComboBox } from '../../shared/ui/combo-box.tsx';
import { type Choice, TextField } from '../../shared/ui/field.tsx';
import { Row, Section, Stack } from '../../shared/ui/layout.tsx';
import { CodeBlock, Notice } from '../../shared/ui/notice.tsx';
import { useToasts } from '../../shared/ui/toasts.tsx';
import { AnswerView } from './answer-view.tsx';
import { BodyFields } from './body-fields.tsx';
import { useKnownValues } from './known-values.ts';
import type { Operation } from './operation.ts';
import { ParameterFields } from './parameter-fields.tsx';
import { type Answer, curlOf, type Draft, missingIn, type Sender, send } from './request.ts';

const NOBODY = 'nobody';
const MOST_ACCOUNTS = 100;

/** Whose token can be sent. */
function useAccounts(): readonly Choice<string>[] {
  const { data } = useData(['explorer', 'accounts'], async (signal) => {
    const query = { $top: MOST_ACCOUNTS };
    const [users, applications] = await Promise.all([
      dataOf(control.GET('/_jar/users', { params: { query }, signal })),
      dataOf(control.GET('/_jar/applications', { params: { query }, signal })),
    ]);
    return [
      ...users.value.map(({ alias, username }) => ({ value: alias, label: `${username} (${alias})` })),
      ...applications.value.map(({ alias }) => ({ value: alias, label: `application ${alias}` })),
    ];
  });
  return [...(data ?? []), { value: NOBODY, label: 'nobody: no token' }];
}

function senderOf({ row, keyHeader }: Operation, account: string): Sender {
  if (row.credentials.includes('adminKey')) return { kind: 'session' };
  if (account === NOBODY || row.credentials.length === 0) return { kind: NOBODY };
  return keyHeader === undefined ? { kind: 'account', name: account } : { kind: 'key' };
}

export function RequestForm({ operation }: { readonly operation: Operation }) {
  const { row, parameters, body, keyHeader } = operation;
  const mayChange = useMayChange();
  const toasts = useToasts();
  const accounts = useAccounts();
  const [account, setAccount] = useState('admin');
  const known = useKnownValues(
    row.path,
    parameters.filter(({ in: place }) => place === 'path').map(({ name }) => name),
  );
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({});
  const [headers, setHeaders] = useState('');
  const [text, setText] = useState(() => (body ? JSON.stringify(body.example, null, 2) : ''));
  const values = useMemo(
    () => ({ ...defaultsOf(operation, known.data ?? {}), ...typed }),
    [operation, known.data, typed],
  );
  const draft: Draft = { values, headers, body: text };
  const sender = senderOf(operation, account);
  const missing = missingIn(operation, draft);
  const [answer, setAnswer] = useState<Answer>();
  const [failure, setFailure] = useState<Failure>();
  const [isRunning, setRunning] = useState(false);
  const abort = useRef<AbortController>(undefined);
  const curl = curlOf(operation, draft, sender);
  const isReadOnly = !mayChange && !/^(GET|HEAD|OPTIONS)$/.test(row.method);

  const run = async (): Promise<void> => {
    if (missing.length > 0 || isReadOnly) return;
    abort.current?.abort();
    const own = new AbortController();
    abort.current = own;
    setRunning(true);
    setFailure(undefined);
    setAnswer(undefined);
    try {
      await send(operation, draft, sender, own.signal, setAnswer);
    } catch (error) {
      if (!own.signal.aborted) setFailure(asFailure(error));
    } finally {
      if (abort.current === own) setRunning(false);
    }
  };
  useKeys([
    {
      key: 'c',
      does: 'Copy as curl',
      run: () => void copyText(curl).then(() => toasts.show({ tone: 'success', message: 'Copied as curl.' })),
    },
    { key: 'r', does: 'Send', run: () => void run() },
  ]);
  return (
    <Stack>
      {parameters.length > 0 && (
        <Section title="Parameters">
          <ParameterFields
            parameters={parameters}
            values={values}
            known={known.data ?? {}}
            onChange={(name, value) => setTyped((before) => ({ ...before, [name]: value }))}
          />
        </Section>
      )}
      {body && (
        <Section title={`Body, ${body.contentType}`}>
          <BodyFields body={body} text={text} onChange={setText} />
        </Section>
      )}
      <Section title="Sender">
        {sender.kind === 'session' ? (
          <p>Your session of the console.</p>
        ) : row.credentials.length === 0 ? (
          <p>Anybody: the operation needs no credential.</p>
        ) : keyHeader !== undefined ? (
          <p>
            The key of the service, in the header <code>{keyHeader}</code>.
          </p>
        ) : (
          <ComboBox
            label="Token of"
            choices={accounts}
            value={account}
            onChange={(chosen) => setAccount(chosen ?? 'admin')}
          />
        )}
        <TextField
          label="Further headers"
          value={headers}
          onChange={setHeaders}
          rows={2}
          isMono
          placeholder="If-Match: *"
          description="One in a line."
        />
      </Section>
      <Row>
        <Button look="main" onPress={() => void run()} isDisabled={missing.length > 0 || isRunning || isReadOnly}>
          Send
        </Button>
        {isRunning && <Button onPress={() => abort.current?.abort()}>Stop</Button>}
        {missing.length > 0 && <span>Fill in {missing.join(', ')}.</span>}
        {isReadOnly && <span>Your session may only read.</span>}
      </Row>
      {failure && (
        <Notice tone="failure" title="There was no answer.">
          {failure.message}
        </Notice>
      )}
      {answer && <AnswerView answer={answer} answers={operation.answers} />}
      <Section title="As curl">
        <CodeBlock text={curl} label="Copy as curl" />
      </Section>
    </Stack>
  );
}

/** A description that leaves no choice. */
const ONLY = /^Must be (\S+)$/;

/** The newest api-version that is no preview, and what exists in the jar. */
function defaultsOf(
  { parameters }: Operation,
  known: Readonly<Record<string, readonly string[]>>,
): Readonly<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const { name, in: place, choices, isRequired, about } of parameters) {
    const first =
      place === 'path'
        ? known[name]?.[0]
        : isRequired
          ? (choices.find((each) => !each.includes('preview')) ?? choices[0] ?? ONLY.exec(about ?? '')?.[1])
          : undefined;
    if (first !== undefined) found[name] = first;
  }
  return found;
}
