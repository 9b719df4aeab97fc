import { useEffect, useState } from 'react';
import { control, dataOf } from '../../shared/api/control.ts';
import { useAction } from '../../shared/api/use-action.ts';
import { useMayChange } from '../../shared/session.ts';
import { Switch } from '../../shared/ui/field.tsx';
import { type Rule, whichOf } from './rule.ts';

interface Props {
  readonly rule: Rule;
  readonly hideLabel?: boolean;
  readonly after?: () => void;
}

/** Enables and disables a rule. Shows what was chosen until the rule is read again. */
export function FaultSwitch({ rule, hideLabel = false, after }: Props) {
  const { id, enabled } = rule;
  const mayChange = useMayChange();
  const [chosen, choose] = useState<boolean>();
  const change = useAction(
    (wanted: boolean) =>
      dataOf(control.PATCH('/_jar/faults/{id}', { params: { path: { id } }, body: { enabled: wanted } })),
    { after },
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: when the rule was read again
  useEffect(() => choose(undefined), [enabled]);
  return (
    <Switch
      label={hideLabel ? `Enabled: ${whichOf(rule)}` : 'Enabled'}
      hideLabel={hideLabel}
      isSelected={chosen ?? enabled}
      isDisabled={!mayChange || change.isRunning}
      onChange={async (wanted) => {
        choose(wanted);
        if (!(await change.run(wanted))) choose(undefined);
      }}
    />
  );
}
