import { addressOf, useAddressParam, useGo } from '../../shared/address.ts';
import { control, dataOf } from '../../shared/api/control.ts';
import { useAction } from '../../shared/api/use-action.ts';
import { useData } from '../../shared/api/use-data.ts';
import { useRemoval } from '../../shared/api/use-removal.ts';
import { count, counted } from '../../shared/format/numbers.ts';
import { Time } from '../../shared/format/time.tsx';
import { useMayChange } from '../../shared/session.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Confirm } from '../../shared/ui/confirm.tsx';
import { CopyId } from '../../shared/ui/copy.tsx';
import { Detail } from '../../shared/ui/detail.tsx';
import { JsonView } from '../../shared/ui/json-view.tsx';
import { Facts, Stack } from '../../shared/ui/layout.tsx';
import { Notice } from '../../shared/ui/notice.tsx';
import { Tabs } from '../../shared/ui/tabs.tsx';
import { FaultState } from './fault-state.tsx';
import { FaultSwitch } from './fault-switch.tsx';
import { draftOf, effectOf, oftenOf, type Rule, type RuleDraft, whichOf } from './rule.ts';
import { RuleForm } from './rule-form.tsx';
import { Struck } from './struck.tsx';

interface Props {
  readonly id: string;
  readonly after: () => void;
}

/** One fault rule: what it does, what it struck, and its form. */
export function FaultDetail({ id, after }: Props) {
  const go = useGo();
  const mayChange = useMayChange();
  const fault = useData(
    ['fault', id],
    (signal) => dataOf(control.GET('/_jar/faults/{id}', { params: { path: { id } }, signal })),
    { on: ['/_jar/faults', 'requests', 'deliveries'] },
  );
  const readAgain = (): void => {
    fault.readAgain();
    after();
  };
  const remove = useRemoval(() => control.DELETE('/_jar/faults/{id}', { params: { path: { id } } }), {
    done: 'The fault rule was removed.',
    after: () => go(addressOf('faults'), { keep: true }),
  });
  const arm = useAction(
    ({ effect }: Rule) => dataOf(control.PATCH('/_jar/faults/{id}', { params: { path: { id } }, body: { effect } })),
    { done: 'The rule counts anew.', after: readAgain },
  );
  const { data } = fault;
  if (!data)
    return (
      <Detail kind="Fault rule" title={id} failure={fault.failure}>
        {null}
      </Detail>
    );
  return (
    <Detail
      kind="Fault rule"
      title={whichOf(data)}
      failure={fault.failure}
      badges={
        <>
          <FaultState state={data.state} />
          <CopyId id={data.id} />
          <FaultSwitch rule={data} after={readAgain} />
        </>
      }
      actions={
        mayChange && (
          <>
            {data.matched > 0 && (
              <Button onPress={() => void arm.run(data)} isDisabled={arm.isRunning}>
                Count anew
              </Button>
            )}
            <Confirm label="Remove" question="Remove this rule with its counts?" onConfirm={() => void remove.run()} />
          </>
        )
      }
    >
      <Tabs
        label="Fault rule"
        tabs={[
          { id: 'summary', title: 'Summary', content: () => <Summary rule={data} /> },
          { id: 'struck', title: `Struck (${count(data.hits)})`, content: () => <Struck rule={data} /> },
          mayChange && { id: 'edit', title: 'Edit', content: () => <Edit rule={data} after={readAgain} /> },
          { id: 'json', title: 'JSON', content: () => <JsonView value={data} /> },
        ]}
      />
    </Detail>
  );
}

function Summary({ rule }: { readonly rule: Rule }) {
  const { match, createdAt, lastHitAt, hits, matched } = rule;
  return (
    <Stack>
      <Verdict rule={rule} />
      <Facts
        facts={[
          { label: 'Direction', value: match.direction === 'outbound' ? 'sent by the jar' : 'received by the jar' },
          { label: 'Service', value: match.service ?? 'any' },
          { label: 'Requests', value: whichOf(rule) },
          ...Object.entries(match.query ?? {}).map(([name, value]) => ({ label: `Query ${name}`, value })),
          ...Object.entries(match.headers ?? {}).map(([name, value]) => ({ label: `Header ${name}`, value })),
          { label: 'Effect', value: effectOf(rule) },
          { label: 'How often', value: oftenOf(rule) },
          rule.seed !== undefined && { label: 'Seed', value: String(rule.seed) },
          { label: 'Hits', value: `${count(hits)} of ${counted(matched, 'match', 'matches')}` },
          { label: 'Last hit', value: <Time at={lastHitAt} /> },
          { label: 'Added', value: <Time at={createdAt} /> },
        ]}
      />
    </Stack>
  );
}

/** Does it act, did it act, and if not, why not. */
function Verdict({ rule: { state, hits, matched } }: { readonly rule: Rule }) {
  switch (state) {
    case 'disabled':
      return <Notice title="It is disabled: it neither counts nor acts." />;
    case 'exhausted':
      return (
        <Notice title={`It is used up: it struck ${counted(hits, 'request')} and never acts again.`}>
          "Count anew" arms it again.
        </Notice>
      );
    default:
      if (hits > 0) return <Notice tone="warning" title={`It is armed, and struck ${counted(hits, 'request')}.`} />;
      return (
        <Notice tone="warning" title="It is armed, and struck nothing so far.">
          {matched === 0
            ? 'No request has matched it yet.'
            : 'Requests matched, but none at its turn, or an earlier rule acted.'}
        </Notice>
      );
  }
}

function Edit({ rule, after }: { readonly rule: Rule; readonly after: () => void }) {
  const { id } = rule;
  const [, chooseTab] = useAddressParam('tab');
  const save = useAction(
    (draft: RuleDraft) =>
      dataOf(
        control.PATCH('/_jar/faults/{id}', {
          params: { path: { id } },
          // Members that the form has removed are removed from the rule.
          body: { match: null, count: null, nth: null, every: null, share: null, ...draft },
        }),
      ),
    {
      inline: true,
      done: 'The rule was changed, and counts anew.',
      after: () => {
        after();
        chooseTab(undefined);
      },
    },
  );
  return <RuleForm initial={draftOf(rule)} label="Save" save={save} />;
}
