import { ToggleButton, ToggleButtonGroup } from 'react-aria-components';
import styles from './choice.module.css';
import type { Choice as ChoiceValue } from './field.tsx';

interface Props<Value extends string> {
  /** What is chosen, for screen readers. */
  readonly label: string;
  readonly value: Value | undefined;
  readonly choices: readonly ChoiceValue<Value>[];
  readonly onChange: (value: Value) => void;
  /** Called when the chosen value is pressed again; without it, the choice stays. */
  readonly onClear?: () => void;
}

/** One of a few values, all of them in sight. */
export function Choice<Value extends string>({ label, value, choices, onChange, onClear }: Props<Value>) {
  return (
    <ToggleButtonGroup
      className={styles.group as string}
      aria-label={label}
      selectionMode="single"
      selectedKeys={value === undefined ? [] : [value]}
      onSelectionChange={(keys) => {
        const chosen = choices.find((each) => keys.has(each.value));
        if (chosen) onChange(chosen.value);
        else onClear?.();
      }}
    >
      {choices.map((each) => (
        <ToggleButton key={each.value} id={each.value} className={styles.chip as string}>
          {each.label}
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  );
}
