import { useState } from 'react';
import { useAddressParam } from '../../shared/address.ts';
import { control, dataOf } from '../../shared/api/control.ts';
import { useAction } from '../../shared/api/use-action.ts';
import { useData } from '../../shared/api/use-data.ts';
import { count, counted, percent } from '../../shared/format/numbers.ts';
import { useMayChange } from '../../shared/session.ts';
import { Button } from '../../shared/ui/button.tsx';
import { CopyId } from '../../shared/ui/copy.tsx';
import { Detail } from '../../shared/ui/detail.tsx';
import { JsonView } from '../../shared/ui/json-view.tsx';
import { Facts, Section, Stack } from '../../shared/ui/layout.tsx';
import { Notice } from '../../shared/ui/notice.tsx';
import { Tabs } from '../../shared/ui/tabs.tsx';
import { ChangeForm } from './change-form.tsx';
import { EarlyRetries } from './early-retries.tsx';
import { type Limit, type Mode, refusedWords, type Scope, wordsOf } from './limit.ts';
import { ModeBadge } from './mode-badge.tsx';
import { Overrides } from './overrides.tsx';
import { UseTable } from './use-table.tsx';

interface Props {
  readonly name: string;
  readonly after: () => void;
}

/** Scopes that are shown, the fullest first. */
const MOST_SCOPES = 100;

/** One limit: who uses how much of it, what it refused, and how to change it. */
export function LimitDetail({ name, after }: Props) {
  const mayChange = useMayChange();
  const [, chooseTab] = useAddressParam('tab');
  // Not in the address: a scope may name a key.
  const [scope, setScope] = useState<Scope>({});
  const read = useData(
    ['limit', name],
    (signal) => dataOf(control.GET('/_jar/limits', { params: { query: { name, use: MOST_SCOPES } }, signal })),
    { on: ['/_jar/limits', 'requests', 'changes', 'clock'] },
  );
  const readAgain = (): void => {
    read.readAgain();
    after();
  };
  const setMode = useAction((mode: Mode) => dataOf(control.PATCH('/_jar/limits', { body: { name, mode } })), {
    done: (_, mode) => `The limit is ${mode === 'shadow' ? 'in shadow mode' : mode} for everyone.`,
    after: readAgain,
  });
  const limit = read.data?.value[0];
  if (!limit)
    return (
      <Detail kind="Limit" title={name} failure={read.failure}>
        {null}
      </Detail>
    );
  const { mode } = limit.inForce;
  const changeFor = (chosen: Scope): void => {
    setScope(chosen);
    chooseTab('change');
  };
  return (
    <Detail
      kind="Limit"
      title={limit.title}
      failure={read.failure}
      badges={
        <>
          <ModeBadge mode={mode} />
          <CopyId id={limit.name} length={48} />
        </>
      }
      actions={
        mayChange && (
          <>
            {mode !== 'enforced' && <Button onPress={() => void setMode.run('enforced')}>Enforce</Button>}
            {mode !== 'shadow' && <Button onPress={() => void setMode.run('shadow')}>Shadow</Button>}
            <Button onPress={() => changeFor({})}>Lower or raise</Button>
          </>
        )
      }
    >
      <Tabs
        label="Limit"
        tabs={[
          {
            id: 'summary',
            title: 'Summary',
            content: () => <Summary limit={limit} after={readAgain} {...(mayChange && { onChange: changeFor })} />,
          },
          mayChange && {
            id: 'change',
            title: 'Change',
            content: () => <ChangeForm limit={limit} scope={scope} setScope={setScope} after={readAgain} />,
          },
          {
            id: 'early',
            title: `Early retries (${count(limit.earlyClients)})`,
            content: () => <EarlyRetries limit={limit} />,
          },
          { id: 'json', title: 'JSON', content: () => <JsonView value={limit} /> },
        ]}
      />
    </Detail>
  );
}

interface SummaryProps {
  readonly limit: Limit;
  readonly after: () => void;
  readonly onChange?: (scope: Scope) => void;
}

function Summary({ limit, after, onChange }: SummaryProps) {
  const { kind, scope, service, table, inForce, fixed } = limit;
  return (
    <Stack>
      <Verdict limit={limit} />
      {kind !== 'bound' && (
        <Section title="Use">
          <UseTable limit={limit} {...(onChange && { onChange })} />
        </Section>
      )}
      {limit.changed && (
        <Section title="Overrides">
          <Overrides limit={limit} after={after} />
        </Section>
      )}
      <Facts
        facts={[
          { label: 'Service', value: service },
          { label: 'Kind', value: limit.window === undefined ? kind : `${limit.window} ${kind}` },
          { label: 'Counted per', value: scope.length === 0 ? 'the whole jar' : scope.join(' and ') },
          { label: 'Permits', value: inForce.mode === 'unlimited' ? 'any number' : wordsOf(limit, inForce) },
          { label: 'Declared', value: wordsOf(limit, table) },
          { label: 'Refused', value: refusedWords(limit) },
          fixed && { label: 'Fixed', value: 'The real service does not raise it. A jar does.' },
        ]}
      />
    </Stack>
  );
}

const HIGH = 0.8;

/** Is it full, does it refuse, and what to do. */
function Verdict({ limit }: { readonly limit: Limit }) {
  const { inForce, pressure, refusals, shadowRefusals, incidental, kind } = limit;
  const since = 'since the start or the last reset';
  if (refusals > 0)
    return (
      <Notice
        tone={pressure >= 1 ? 'failure' : 'warning'}
        title={`It refused ${counted(refusals, 'request')} ${since}.`}
      >
        {pressure >= 1 ? 'Its fullest scope has nothing left. Raise it, or let the client wait.' : 'It has room again.'}
      </Notice>
    );
  if (shadowRefusals > 0)
    return (
      <Notice tone="warning" title={`It would have refused ${counted(shadowRefusals, 'request')} ${since}.`}>
        In shadow mode it counts and refuses nothing.
      </Notice>
    );
  if (inForce.mode === 'shadow')
    return (
      <Notice title="In shadow mode it counts and refuses nothing.">
        {incidental && 'A clock that stands still refills nothing, so this limit starts in shadow mode there.'}
      </Notice>
    );
  if (pressure >= HIGH)
    return <Notice tone="warning" title={`Its fullest scope has used ${percent(pressure)} of it.`} />;
  if (kind === 'bound') return <Notice title="It refused nothing. Each thing is checked on its own." />;
  return <Notice tone="success" title="It refused nothing, and has room." />;
}
