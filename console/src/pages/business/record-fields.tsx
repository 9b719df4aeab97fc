import type { Failure } from '../../shared/api/failure.ts';
import { Select, Switch, TextField } from '../../shared/ui/field.tsx';
import { Notice } from '../../shared/ui/notice.tsx';
import { plainMessage } from './api.ts';
import { memberText, type Property, titleOf } from './metadata.ts';
import styles from './records.module.css';

interface Props {
  readonly properties: readonly Property[];
  readonly values: Readonly<Record<string, unknown>>;
  readonly onChange: (name: string, value: unknown) => void;
  readonly failure: Failure | undefined;
  readonly isDisabled?: boolean;
}

/** The properties that a client writes. */
export const writable = (properties: readonly Property[]): readonly Property[] =>
  properties.filter(
    ({ name, type, isComputed }) =>
      !isComputed &&
      type.indexOf('(') < 0 &&
      type !== 'Edm.Stream' &&
      !/^(id$|system|timestamp|lastModifiedDateTime)/.test(name),
  );

/** A field for each property, with the mistake that the API names at its field. */
export function RecordFields({ properties, values, onChange, failure, isDisabled = false }: Props) {
  const message = failure && plainMessage(failure.message);
  const atField = properties.find(({ name }) => message?.includes(`'${name}'`))?.name;
  return (
    <>
      {message !== undefined && atField === undefined && (
        <Notice tone="failure" title={message}>
          <code>{failure?.code}</code>
        </Notice>
      )}
      <div className={styles.fields}>
        {properties.map((property) => (
          <Field
            key={property.name}
            property={property}
            value={values[property.name]}
            onChange={(value) => onChange(property.name, value)}
            error={atField === property.name ? message : undefined}
            isDisabled={isDisabled}
          />
        ))}
      </div>
    </>
  );
}

interface FieldProps {
  readonly property: Property;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
  readonly error: string | undefined;
  readonly isDisabled: boolean;
}

function Field({ property: { name, type, members }, value, onChange, error, isDisabled }: FieldProps) {
  const label = titleOf(name);
  if (type === 'Edm.Boolean')
    return <Switch label={label} isSelected={value === true} onChange={onChange} isDisabled={isDisabled} />;
  if (members)
    return (
      <Select
        label={label}
        value={String(value ?? '')}
        onChange={onChange}
        choices={[...new Set([String(value ?? ''), ...members])].map((member) => ({
          value: member,
          label: memberText(member) || '(none)',
        }))}
        isDisabled={isDisabled}
      />
    );
  return (
    <TextField
      label={label}
      value={value === undefined || value === null ? '' : String(value)}
      onChange={(text) => onChange(typed(type, text))}
      error={error}
      isDisabled={isDisabled}
    />
  );
}

/** A number as it is typed may not be one yet; the API says so when it is sent. */
function typed(type: string, text: string): unknown {
  const isNumber = /^Edm\.(Decimal|Double|Int)/.test(type) && /^-?\d+(\.\d*[1-9])?$/.test(text);
  return isNumber ? Number(text) : text;
}
