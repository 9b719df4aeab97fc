import { type ReactNode, useEffect, useState } from 'react';
import { useAddressParam } from '../../shared/address.ts';
import type { Failure } from '../../shared/api/failure.ts';
import { FILTER_PARAM } from '../../shared/list/filter-bar.tsx';
import { ORDER_PARAM } from '../../shared/list/list.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { TextField } from '../../shared/ui/field.tsx';
import styles from './records.module.css';

export const SELECT_PARAM = 'select';

interface Props {
  /** With the option that is wrong as its target. */
  readonly failure: Failure | undefined;
  readonly children?: ReactNode;
}

/** The options of an OData query, each with its mistake below it. All are in the address. */
export function QueryBar({ failure, children }: Props) {
  return (
    <search className={styles.query}>
      <Option name="$filter" param={FILTER_PARAM} example="city eq 'Linz' and balanceDue gt 0" failure={failure} />
      <Option name="$orderby" param={ORDER_PARAM} example="displayName desc" failure={failure} />
      <Option name="$select" param={SELECT_PARAM} example="number,displayName,city" failure={failure} />
      {children !== undefined && <div className={styles.buttons}>{children}</div>}
    </search>
  );
}

interface OptionProps extends Props {
  readonly name: string;
  readonly param: string;
  readonly example: string;
}

/** An expression is valid only when it is complete, so that it is used on Enter or when the field is left. */
function Option({ name, param, example, failure }: OptionProps) {
  const [value = '', set] = useAddressParam(param);
  const [text, setText] = useState(value);
  // The back button, or a click on the head of a column.
  useEffect(() => setText(value), [value]);
  const commit = (): void => {
    if (text !== value) set(text);
  };
  return (
    <TextField
      label={name}
      value={text}
      onChange={setText}
      onEnter={commit}
      onBlur={commit}
      placeholder={example}
      isMono
      error={failure?.target === name ? failure.message : undefined}
    />
  );
}

export function ClearQuery() {
  const [filter, setFilter] = useAddressParam(FILTER_PARAM);
  const [order, setOrder] = useAddressParam(ORDER_PARAM);
  const [select, setSelect] = useAddressParam(SELECT_PARAM);
  if (filter === undefined && order === undefined && select === undefined) return null;
  return (
    <Button
      onPress={() => {
        setFilter(undefined);
        setOrder(undefined);
        setSelect(undefined);
      }}
    >
      Clear
    </Button>
  );
}
