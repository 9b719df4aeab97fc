import { useState } from 'react';
import { Button } from '../../../shared/ui/button.tsx';
import { Dialog } from '../../../shared/ui/dialog.tsx';
import { TextField } from '../../../shared/ui/field.tsx';
import { Row, Stack } from '../../../shared/ui/layout.tsx';

interface Props {
  readonly name: string;
  readonly parameters: readonly { readonly name: string; readonly default: string }[];
  readonly close: () => void;
  readonly start: (values: Readonly<Record<string, string>>) => void;
  readonly isRunning: boolean;
}

/** Starts a run with values for the parameters of the job. */
export function RunNow({ name, parameters, close, start, isRunning }: Props) {
  const [values, setValues] = useState<Readonly<Record<string, string>>>(() =>
    Object.fromEntries(parameters.map((parameter) => [parameter.name, parameter.default])),
  );
  const changed = Object.fromEntries(
    parameters.flatMap((parameter) => {
      const value = values[parameter.name] ?? '';
      return value === parameter.default ? [] : [[parameter.name, value]];
    }),
  );
  return (
    <Dialog title={`Run ${name}`} close={close}>
      <Stack>
        {parameters.map((parameter, index) => (
          <TextField
            key={parameter.name}
            label={parameter.name}
            value={values[parameter.name] ?? ''}
            onChange={(value) => setValues({ ...values, [parameter.name]: value })}
            description={parameter.default === '' ? 'No default' : `Default: ${parameter.default}`}
            autoFocus={index === 0}
            onEnter={() => start(changed)}
          />
        ))}
        <Row>
          <Button look="main" isDisabled={isRunning} onPress={() => start(changed)}>
            Run
          </Button>
        </Row>
      </Stack>
    </Dialog>
  );
}
