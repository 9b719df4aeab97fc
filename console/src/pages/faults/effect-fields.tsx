import { useState } from 'react';
import { Select, TextField } from '../../shared/ui/field.tsx';
import { Grid, Section } from '../../shared/ui/layout.tsx';
import { type Effect, present, type RuleDraft } from './rule.ts';

interface Props {
  readonly rule: RuleDraft;
  readonly onChange: (effect: Effect) => void;
  readonly errorOf: (member: string) => string | undefined;
}

const KINDS = [
  { value: 'answer', label: 'Answer with a status' },
  { value: 'throttledAs500', label: 'Answer 500 that says 429' },
  { value: 'drop', label: 'Cut the connection, change nothing' },
  { value: 'dropAnswer', label: 'Process it, then cut the connection' },
  { value: 'real', label: 'The real answer, slowed or spoilt' },
] as const;
const OF_DELIVERIES = [
  { value: 'duplicate', label: 'Send twice' },
  { value: 'outOfOrder', label: 'Send after the next one' },
  { value: 'afterDelete', label: 'Send although the owner was deleted' },
] as const;

type Kind = (typeof KINDS | typeof OF_DELIVERIES)[number]['value'];

const SWITCHES = ['throttledAs500', 'drop', 'dropAnswer', 'duplicate', 'outOfOrder', 'afterDelete'] as const;
const DEFAULT_STATUS = 500;

/** What happens to the requests. */
export function EffectFields({ rule: { match, effect }, onChange, errorOf }: Props) {
  const isOutbound = match?.direction === 'outbound';
  const kind = kindOf(effect);
  const change = (members: { [Name in keyof Effect]?: Effect[Name] | undefined }): void =>
    onChange(present({ ...effect, ...members }) as Effect);
  const number = (
    name: 'status' | 'latencyMs' | 'slowBodyMs' | 'cutBodyAfter',
    label: string,
    description?: string,
  ) => (
    <TextField
      label={label}
      type="number"
      value={effect[name] === undefined ? '' : String(effect[name])}
      description={description}
      error={errorOf(`effect.${name}`)}
      onChange={(typed) => change({ [name]: typed === '' ? undefined : Number(typed) })}
    />
  );
  return (
    <Section title="What happens">
      <Select
        label="Effect"
        value={kind}
        choices={isOutbound ? [...KINDS, ...OF_DELIVERIES] : KINDS}
        onChange={(chosen) => onChange(effectOfKind(chosen, effect))}
      />
      <Grid least={180}>
        {kind === 'answer' && number('status', 'Status')}
        {number('latencyMs', 'Delay in ms', "Of the jar's clock")}
        {(kind === 'answer' || kind === 'real') && number('slowBodyMs', 'Slow body in ms', 'Before each of ten pieces')}
        {(kind === 'answer' || kind === 'real') && number('cutBodyAfter', 'Cut body after bytes')}
      </Grid>
      {kind !== 'drop' && kind !== 'dropAnswer' && (
        <Headers
          headers={effect.headers}
          onChange={(headers) => change({ headers })}
          error={errorOf('effect.headers')}
        />
      )}
      {kind === 'answer' && (
        <Body body={effect.body} onChange={(body) => change({ body })} error={errorOf('effect.body')} />
      )}
    </Section>
  );
}

function kindOf(effect: Effect): Kind {
  const found = SWITCHES.find((name) => effect[name] === true);
  return found ?? (effect.status === undefined ? 'real' : 'answer');
}

/** Keeps what the other kind permits as well. */
function effectOfKind(kind: Kind, { status, latencyMs, headers, body, slowBodyMs, cutBodyAfter }: Effect): Effect {
  switch (kind) {
    case 'answer':
      return present({
        status: status ?? DEFAULT_STATUS,
        headers,
        body,
        latencyMs,
        slowBodyMs,
        cutBodyAfter,
      }) as Effect;
    case 'real':
      return present({ headers, latencyMs, slowBodyMs, cutBodyAfter }) as Effect;
    default:
      return present({ [kind]: true, latencyMs }) as Effect;
  }
}

interface HeadersProps {
  readonly headers: Effect['headers'];
  readonly onChange: (headers: Effect['headers']) => void;
  readonly error: string | undefined;
}

/** Headers as lines, as curl prints them. */
function Headers({ headers, onChange, error }: HeadersProps) {
  const lines = Object.entries(headers ?? {}).map(([name, value]) => `${name}: ${value}`);
  const [typed, type] = useState<string>();
  const shown = typed !== undefined && sameHeaders(headersOf(typed), headers) ? typed : lines.join('\n');
  return (
    <TextField
      label="Headers"
      isMono
      rows={2}
      value={shown}
      placeholder="Retry-After: 5"
      error={error}
      onChange={(text) => {
        type(text);
        onChange(headersOf(text));
      }}
    />
  );
}

function headersOf(text: string): Effect['headers'] {
  const entries = text.split('\n').flatMap((line) => {
    const colon = line.indexOf(':');
    return colon <= 0 ? [] : [[line.slice(0, colon).trim(), line.slice(colon + 1).trim()] as const];
  });
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

const sameHeaders = (one: Effect['headers'], other: Effect['headers']): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

interface BodyProps {
  readonly body: unknown;
  readonly onChange: (body: unknown) => void;
  readonly error: string | undefined;
}

function Body({ body, onChange, error }: BodyProps) {
  const [typed, type] = useState<string>();
  const shown = typed !== undefined && JSON.stringify(bodyOf(typed)) === JSON.stringify(body) ? typed : textOf(body);
  return (
    <TextField
      label="Body"
      isMono
      rows={2}
      value={shown}
      description="Empty: the error of the API, in its own shape. JSON is sent as JSON, other text as text."
      error={error}
      onChange={(text) => {
        type(text);
        onChange(bodyOf(text));
      }}
    />
  );
}

const textOf = (body: unknown): string =>
  body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body);

function bodyOf(text: string): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
