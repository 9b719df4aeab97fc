import { useMemo } from 'react';
import { useData } from '../../shared/api/use-data.ts';
import { ComboBox } from '../../shared/ui/combo-box.tsx';
import { readControlDocument } from './read-document.ts';
import type { Match } from './rule.ts';

interface Props {
  readonly service: string;
  readonly match: Match;
  readonly onChoose: (chosen: { readonly method?: string | undefined; readonly path?: string | undefined }) => void;
}

/** An operation of the service's OpenAPI document as method and path of the rule. */
export function OperationChoice({ service, match, onChoose }: Props) {
  const document = useData(['openapi', service], (signal) => readControlDocument(service, signal));
  const operations = useMemo(
    () =>
      Object.entries(document.data?.paths ?? {}).flatMap(([path, methods]) =>
        METHODS.filter((method) => method in methods).map((method) => ({
          method: method.toUpperCase(),
          path: path.replaceAll(/\{[^}]*\}/g, '*'),
          value: `${method.toUpperCase()} ${path}`,
          label: `${method.toUpperCase()} ${path}`,
        })),
      ),
    [document.data],
  );
  const chosen = operations.find(({ method, path }) => method === match.method && path === match.path);
  return (
    <ComboBox
      label="Operation"
      placeholder="Type a part of its path"
      description="Fills in method and path."
      choices={operations}
      value={chosen?.value}
      onChange={(value) => {
        const operation = operations.find((each) => each.value === value);
        if (operation) onChoose({ method: operation.method, path: operation.path });
      }}
    />
  );
}

const METHODS = ['get', 'head', 'post', 'put', 'patch', 'delete'] as const;
