import { useNow } from '../../shared/format/now.tsx';
import { Time } from '../../shared/format/time.tsx';
import { exact } from '../../shared/format/times.ts';
import { CopyButton } from '../../shared/ui/copy.tsx';
import { TextField } from '../../shared/ui/field.tsx';
import { JsonView } from '../../shared/ui/json-view.tsx';
import { Section, Stack } from '../../shared/ui/layout.tsx';
import { Notice } from '../../shared/ui/notice.tsx';
import { Table } from '../../shared/ui/table.tsx';
import { type Claims, decode, MEANINGS, timeOf } from './decode.ts';

interface Props {
  readonly token: string;
  readonly setToken: (token: string) => void;
}

/** What a token says: issued here or pasted. It is decoded in the browser and sent nowhere. */
export function TokenView({ token, setToken }: Props) {
  const decoded = token.trim() === '' ? undefined : decode(token);
  const problem = decoded && 'problem' in decoded ? decoded.problem : undefined;
  return (
    <Section
      title="Decode a token"
      actions={token !== '' && <CopyButton text={token} label="Copy the token" labelled />}
    >
      <Stack>
        <TextField
          label="Token"
          rows={5}
          isMono
          value={token}
          onChange={setToken}
          placeholder="Paste a token. It does not leave this page."
          error={problem}
        />
        {decoded && 'claims' in decoded && (
          <>
            <Validity claims={decoded.claims} />
            {!decoded.isSigned && <Notice tone="warning" title="It is not signed: no service accepts it." />}
            <Table
              label="Claims"
              items={Object.entries(decoded.claims)}
              keyOf={([name]) => name}
              columns={[
                { title: 'Claim', cell: ([name]) => <code>{name}</code> },
                { title: 'Value', cell: ([name, value]) => <Value name={name} value={value} /> },
                { title: 'Meaning', cell: ([name]) => MEANINGS[name] ?? '' },
              ]}
            />
            <Section title="Header">
              <JsonView value={decoded.header} label="Copy the header" />
            </Section>
          </>
        )}
      </Stack>
    </Section>
  );
}

function Value({ name, value }: { readonly name: string; readonly value: unknown }) {
  const time = timeOf(name, value);
  if (time !== undefined)
    return (
      <>
        {exact(time)} (<Time at={time} wall={name === 'wall_exp'} />)
      </>
    );
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Whether a service would accept its times now. */
function Validity({ claims }: { readonly claims: Claims }) {
  const { now, offset } = useNow();
  const [until, wallUntil, from] = ['exp', 'wall_exp', 'nbf'].map((name) => timeOf(name, claims[name]));
  if (until === undefined) return <Notice title="It says no time at which it expires." />;
  if (from !== undefined && from > now && from > now - offset)
    return <Notice tone="warning" title="It is not valid yet." />;
  const isOver = until <= now && (wallUntil === undefined || wallUntil <= now - offset);
  return (
    <Notice
      tone={isOver ? 'failure' : 'success'}
      title={
        <>
          {isOver ? 'It expired ' : 'It expires '}
          <Time at={until} />
          {' by the clock of the jar'}
        </>
      }
    >
      {!isOver && until <= now && 'It is still accepted, because it has not expired by the clock of the system.'}
    </Notice>
  );
}
