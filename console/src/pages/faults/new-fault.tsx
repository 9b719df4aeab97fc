import { addressOf, useAddressParam, useGo } from '../../shared/address.ts';
import { control, dataOf } from '../../shared/api/control.ts';
import { useAction } from '../../shared/api/use-action.ts';
import { useMayChange } from '../../shared/session.ts';
import { Choice } from '../../shared/ui/choice.tsx';
import { Detail } from '../../shared/ui/detail.tsx';
import { Notice } from '../../shared/ui/notice.tsx';
import { DEFAULT_PRESET, PRESETS } from './presets.ts';
import type { RuleDraft } from './rule.ts';
import { RuleForm } from './rule-form.tsx';

/** A rule that is being made, from one of the presets. */
export function NewFault({ after }: { readonly after: () => void }) {
  const go = useGo();
  const mayChange = useMayChange();
  const [preset = DEFAULT_PRESET, choose] = useAddressParam('preset');
  const { rule } = PRESETS.find(({ id }) => id === preset) ?? { rule: { effect: {} } };
  const add = useAction((draft: RuleDraft) => dataOf(control.POST('/_jar/faults', { body: draft })), {
    inline: true,
    done: 'The fault rule is armed.',
    after: ({ id }) => {
      after();
      go(addressOf('faults', id));
    },
  });
  return (
    <Detail kind="Fault rule" title="Add a fault">
      {mayChange ? (
        <>
          <Choice
            label="Presets"
            value={preset}
            choices={PRESETS.map(({ id, title }) => ({ value: id, label: title }))}
            onChange={choose}
          />
          <RuleForm key={preset} initial={rule} label="Add the rule" save={add} />
        </>
      ) : (
        <Notice>This session may only read. An administrator can add rules.</Notice>
      )}
    </Detail>
  );
}
