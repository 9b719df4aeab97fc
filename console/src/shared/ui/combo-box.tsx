import { ChevronDown } from 'lucide-react';
import { type ReactNode, useMemo, useState } from 'react';
import {
  Button as AriaButton,
  ComboBox as AriaComboBox,
  Input,
  Label,
  ListBox,
  ListBoxItem,
  Popover,
  Text,
} from 'react-aria-components';
import { classes } from '../style/class-names.ts';
import styles from './combo-box.module.css';
import fields from './field.module.css';
import type { Choice } from './field.tsx';

interface Props<Value extends string> {
  readonly label: string;
  readonly hideLabel?: boolean;
  readonly description?: ReactNode;
  readonly placeholder?: string;
  readonly choices: readonly Choice<Value>[];
  readonly value: Value | undefined;
  readonly onChange: (value: Value | undefined) => void;
  readonly isDisabled?: boolean;
}

/** More would not be read; typing narrows them down. */
const MOST_SHOWN = 50;

/** Chooses one of many by typing parts of its label. */
export function ComboBox<Value extends string>(props: Props<Value>) {
  const { label, hideLabel, description, placeholder, choices, value, onChange, isDisabled = false } = props;
  const chosen = choices.find((choice) => choice.value === value);
  const [typed, type] = useState<string>();
  const text = typed ?? chosen?.label ?? '';
  const shown = useMemo(() => {
    const words = (typed ?? '').toLowerCase().split(/\s+/).filter(Boolean);
    return choices
      .filter((choice) => words.every((word) => choice.label.toLowerCase().includes(word)))
      .slice(0, MOST_SHOWN)
      .map((choice) => ({ ...choice, id: choice.value }));
  }, [choices, typed]);
  return (
    <AriaComboBox
      className={fields.field as string}
      items={shown}
      value={value ?? null}
      onChange={(key) => {
        type(undefined);
        onChange(choices.find((choice) => choice.value === key)?.value);
      }}
      inputValue={text}
      onInputChange={(next) => type(next === chosen?.label ? undefined : next)}
      onOpenChange={(isOpen) => isOpen || type(undefined)}
      isDisabled={isDisabled}
      menuTrigger="focus"
      allowsEmptyCollection
    >
      <Label className={classes(fields.label, hideLabel && fields.hidden)}>{label}</Label>
      <div className={styles.box}>
        <Input className={fields.input as string} spellCheck={false} placeholder={placeholder} />
        <AriaButton className={styles.open as string}>
          <ChevronDown size={14} aria-hidden />
        </AriaButton>
      </div>
      {description !== undefined && (
        <Text slot="description" className={fields.description as string}>
          {description}
        </Text>
      )}
      <Popover className={classes(fields.popover, styles.popover)}>
        <ListBox className={fields.options as string} renderEmptyState={() => 'Nothing matches'}>
          {(choice: Choice<Value>) => (
            <ListBoxItem id={choice.value} className={fields.option as string} textValue={choice.label}>
              {choice.label}
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </AriaComboBox>
  );
}
