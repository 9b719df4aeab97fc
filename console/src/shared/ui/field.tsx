import { ChevronDown } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import {
  Button as AriaButton,
  Select as AriaSelect,
  Switch as AriaSwitch,
  TextField as AriaTextField,
  FieldError,
  Input,
  Label,
  ListBox,
  ListBoxItem,
  Popover,
  SelectValue,
  Text,
  TextArea,
} from 'react-aria-components';
import { classes } from '../style/class-names.ts';
import styles from './field.module.css';

interface FieldProps {
  readonly label: string;
  /** The label is only for screen readers. */
  readonly hideLabel?: boolean;
  readonly description?: ReactNode;
  /** Why the value was refused. */
  readonly error?: string | undefined;
  readonly isDisabled?: boolean;
}

interface TextProps extends FieldProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly placeholder?: string;
  readonly type?: 'text' | 'password' | 'number' | 'url' | 'email';
  /** Number of lines; more than one is a text area. */
  readonly rows?: number;
  readonly isMono?: boolean;
  readonly isRequired?: boolean;
  readonly autoFocus?: boolean;
  readonly onEnter?: () => void;
  /** The field was left. */
  readonly onBlur?: () => void;
  /** Values that are likely; others can be typed. */
  readonly suggestions?: readonly string[];
}

export function TextField({
  label,
  hideLabel,
  description,
  error,
  rows = 1,
  isMono,
  placeholder,
  onEnter,
  autoFocus,
  suggestions = [],
  ...props
}: TextProps) {
  const listId = useId();
  const className = classes(styles.input, isMono && styles.mono);
  return (
    <AriaTextField
      {...props}
      isInvalid={error !== undefined}
      className={styles.field as string}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (rows === 1 || event.ctrlKey || event.metaKey)) onEnter?.();
        else event.continuePropagation();
      }}
    >
      <Label className={classes(styles.label, hideLabel && styles.hidden)}>{label}</Label>
      {rows === 1 ? (
        <Input
          className={className}
          placeholder={placeholder}
          autoFocus={autoFocus}
          spellCheck={false}
          autoComplete="off"
          {...(suggestions.length > 0 && { list: listId })}
        />
      ) : (
        <TextArea
          className={className}
          placeholder={placeholder}
          rows={rows}
          spellCheck={false}
          autoFocus={autoFocus}
        />
      )}
      {suggestions.length > 0 && (
        <datalist id={listId}>
          {suggestions.map((each) => (
            <option key={each} value={each} />
          ))}
        </datalist>
      )}
      {description !== undefined && (
        <Text slot="description" className={styles.description as string}>
          {description}
        </Text>
      )}
      <FieldError className={styles.error as string}>{error}</FieldError>
    </AriaTextField>
  );
}

export interface Choice<Value extends string> {
  readonly value: Value;
  readonly label: string;
}

interface SelectProps<Value extends string> extends FieldProps {
  readonly value: Value;
  readonly onChange: (value: Value) => void;
  readonly choices: readonly Choice<Value>[];
}

export function Select<Value extends string>(props: SelectProps<Value>) {
  const { label, hideLabel, description, value, onChange, choices, isDisabled } = props;
  return (
    <AriaSelect
      className={styles.field as string}
      selectedKey={value}
      onSelectionChange={(key) => {
        const chosen = choices.find((choice) => choice.value === key);
        if (chosen) onChange(chosen.value);
      }}
      {...(isDisabled !== undefined && { isDisabled })}
    >
      <Label className={classes(styles.label, hideLabel && styles.hidden)}>{label}</Label>
      <AriaButton className={classes(styles.input, styles.select)}>
        <SelectValue className={styles.value as string} />
        <ChevronDown size={14} aria-hidden />
      </AriaButton>
      {description !== undefined && (
        <Text slot="description" className={styles.description as string}>
          {description}
        </Text>
      )}
      <Popover className={styles.popover as string}>
        <ListBox
          className={styles.options as string}
          items={choices.map((choice) => ({ ...choice, id: choice.value }))}
        >
          {(choice) => (
            <ListBoxItem className={styles.option as string} textValue={choice.label}>
              {choice.label}
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </AriaSelect>
  );
}

interface SwitchProps {
  readonly label: string;
  readonly hideLabel?: boolean;
  readonly isSelected: boolean;
  readonly onChange: (isSelected: boolean) => void;
  readonly isDisabled?: boolean;
}

export function Switch({ label, hideLabel, ...props }: SwitchProps) {
  return (
    <AriaSwitch {...props} className={styles.switch as string} {...(hideLabel && { 'aria-label': label })}>
      <span className={styles.track} aria-hidden />
      {!hideLabel && label}
    </AriaSwitch>
  );
}
