import { Plus, X } from 'lucide-react';
import { useState } from 'react';
import { Button, IconButton } from '../ui/button.tsx';
import { Select, TextField } from '../ui/field.tsx';
import { JsonEditor } from './json-editor.tsx';
import type { Mistakes } from './mistakes.ts';
import { type Field, fieldOf, isMembers, type Property, type Schema, type Schemas } from './schema.ts';
import styles from './schema-form.module.css';

interface FormProps {
  readonly properties: readonly Property[];
  readonly schemas: Schemas;
  readonly value: unknown;
  readonly onChange: (value: Readonly<Record<string, unknown>>) => void;
  readonly mistakes: Mistakes;
  /** Where these properties are: `properties.sku`. Empty for a whole document. */
  readonly path?: string;
  /** The group that is open although nothing in it is set. */
  readonly opened?: string;
}

/** A form made from a JSON Schema: a field for every property, nested objects in groups that open. */
export function SchemaForm({ properties, schemas, value, onChange, mistakes, path = '', opened }: FormProps) {
  const members = isMembers(value) ? value : {};
  const parts = properties.map((property) => ({ ...property, field: fieldOf(property.schema, schemas) }));
  const set = (name: string, next: unknown): void => {
    const { [name]: _, ...rest } = members;
    onChange(next === undefined ? rest : { ...members, [name]: next });
  };
  const part = ({ name, field, isRequired }: (typeof parts)[number]) => (
    <Part
      key={name}
      label={isRequired ? `${name} (required)` : name}
      field={field}
      schemas={schemas}
      value={members[name]}
      onChange={(next) => set(name, next)}
      mistakes={mistakes}
      path={path === '' ? name : `${path}.${name}`}
      isOpened={name === opened}
    />
  );
  const leaves = parts.filter(({ field }) => isLeaf(field));
  return (
    <div className={styles.form}>
      {leaves.length > 0 && <div className={styles.leaves}>{leaves.map(part)}</div>}
      {parts.filter(({ field }) => !isLeaf(field)).map(part)}
    </div>
  );
}

const isLeaf = ({ kind }: Field): boolean => ['text', 'number', 'boolean', 'choice'].includes(kind);

interface PartProps {
  readonly label: string;
  readonly field: Field;
  readonly schemas: Schemas;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
  readonly mistakes: Mistakes;
  readonly path: string;
  readonly isOpened?: boolean;
}

function Part(props: PartProps) {
  return isLeaf(props.field) ? <Leaf {...props} /> : <Group {...props} />;
}

/** Open at first if something in it is set. */
function Group(props: PartProps) {
  const { label, field, value, path, mistakes, isOpened = false } = props;
  const count = Array.isArray(value) ? value.length : isMembers(value) ? Object.keys(value).length : 0;
  const [isOpen, setOpen] = useState(count > 0 || isOpened);
  return (
    <details
      className={styles.group}
      open={isOpen || mistakes.isBelow(path)}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary className={styles.summary}>
        {label} <span className={styles.note}>{count === 0 ? 'not set' : count}</span>
        {mistakes.isBelow(path) && <span className={styles.wrong}> has a mistake</span>}
      </summary>
      <div className={styles.inside}>
        {mistakes.at(path) !== undefined && <p className={styles.wrong}>{mistakes.at(path)}</p>}
        {field.about !== undefined && <p className={styles.note}>{field.about}</p>}
        <Inside {...props} />
      </div>
    </details>
  );
}

function Inside(props: PartProps) {
  const { label, field, schemas, value, onChange, mistakes, path } = props;
  switch (field.kind) {
    case 'object':
      return (
        <SchemaForm
          properties={field.properties}
          schemas={schemas}
          value={value}
          onChange={(next) => onChange(Object.keys(next).length > 0 ? next : undefined)}
          mistakes={mistakes}
          path={path}
        />
      );
    case 'list':
      return <Items {...props} items={field.items} />;
    case 'map':
      if (isLeaf(fieldOf(field.values, schemas))) return <Entries {...props} />;
      break;
    default:
  }
  return <JsonEditor label={label} hideLabel value={value} onChange={onChange} error={mistakes.at(path)} />;
}

const UNSET = '';

function Leaf({ label, field, value, onChange, mistakes, path }: PartProps) {
  const error = mistakes.at(path);
  if (field.kind === 'choice' || field.kind === 'boolean') {
    const known = field.kind === 'choice' ? field.choices : ['true', 'false'];
    const current = value === undefined || value === null ? UNSET : String(value);
    const choices = [...new Set([UNSET, ...known, current])];
    return (
      <div>
        <Select
          label={label}
          value={current}
          choices={choices.map((each) => ({ value: each, label: each === UNSET ? 'not set' : each }))}
          onChange={(next) => onChange(next === UNSET ? undefined : field.kind === 'boolean' ? next === 'true' : next)}
          description={field.about}
        />
        {error !== undefined && <p className={styles.wrong}>{error}</p>}
      </div>
    );
  }
  const shown = value === undefined || value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value);
  return (
    <TextField
      label={label}
      value={shown}
      type={field.kind === 'number' ? 'number' : 'text'}
      onChange={(next) => onChange(next === '' ? undefined : field.kind === 'number' ? Number(next) : next)}
      error={error}
      {...(field.about !== undefined && { description: field.about })}
    />
  );
}

function Items({ label, schemas, value, onChange, mistakes, path, items }: PartProps & { readonly items: Schema }) {
  const values: readonly unknown[] = Array.isArray(value) ? value : [];
  const field = fieldOf(items, schemas);
  return (
    <div className={styles.form}>
      {values.map((each, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: items have no other name than their place
        <div key={index} className={styles.item}>
          <div className={styles.fields}>
            {field.kind === 'object' ? (
              <SchemaForm
                properties={field.properties}
                schemas={schemas}
                value={each}
                onChange={(next) => onChange(values.with(index, next))}
                mistakes={mistakes}
                path={`${path}[${index}]`}
              />
            ) : isLeaf(field) ? (
              <Leaf
                label={`${label} ${index + 1}`}
                field={field}
                schemas={schemas}
                value={each}
                onChange={(next) => onChange(values.with(index, next ?? ''))}
                mistakes={mistakes}
                path={`${path}[${index}]`}
              />
            ) : (
              <JsonEditor
                label={`${label} ${index + 1}`}
                value={each}
                onChange={(next) => onChange(values.with(index, next ?? null))}
                error={mistakes.at(`${path}[${index}]`)}
              />
            )}
          </div>
          <IconButton
            label={`Remove ${label} ${index + 1}`}
            icon={<X size={14} aria-hidden />}
            onPress={() => onChange(values.length === 1 ? undefined : values.toSpliced(index, 1))}
          />
        </div>
      ))}
      <div>
        <Button onPress={() => onChange([...values, field.kind === 'object' ? {} : field.kind === 'number' ? 0 : ''])}>
          <Plus size={14} aria-hidden /> Add to {label}
        </Button>
      </div>
    </div>
  );
}

/** Names and texts, such as tags. */
function Entries({ label, value, onChange }: Pick<PartProps, 'label' | 'value' | 'onChange'>) {
  const entries = Object.entries(isMembers(value) ? value : {});
  const change = (next: readonly (readonly [string, unknown])[]): void =>
    onChange(next.length > 0 ? Object.fromEntries(next) : undefined);
  return (
    <div className={styles.form}>
      {entries.map(([name, text], index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the name is being typed
        <div key={index} className={styles.item}>
          <div className={styles.pair}>
            <TextField
              label={`Name ${index + 1} of ${label}`}
              hideLabel
              placeholder="name"
              value={name}
              onChange={(next) => change(entries.with(index, [next, text]))}
            />
            <TextField
              label={`Value ${index + 1} of ${label}`}
              hideLabel
              placeholder="value"
              value={typeof text === 'string' ? text : JSON.stringify(text)}
              onChange={(next) => change(entries.with(index, [name, next]))}
            />
          </div>
          <IconButton
            label={`Remove ${name === '' ? 'the entry' : name}`}
            icon={<X size={14} aria-hidden />}
            onPress={() => change(entries.toSpliced(index, 1))}
          />
        </div>
      ))}
      <div>
        <Button onPress={() => change([...entries, ['', '']])} isDisabled={entries.some(([name]) => name === '')}>
          <Plus size={14} aria-hidden /> Add to {label}
        </Button>
      </div>
    </div>
  );
}
