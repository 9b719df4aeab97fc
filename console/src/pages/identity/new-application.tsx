import { useState } from 'react';
import { addressOf, useGo } from '../../shared/address.ts';
import { control, dataOf } from '../../shared/api/control.ts';
import { useAction } from '../../shared/api/use-action.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Dialog } from '../../shared/ui/dialog.tsx';
import { Select, Switch, TextField } from '../../shared/ui/field.tsx';
import { Row } from '../../shared/ui/layout.tsx';
import { Notice } from '../../shared/ui/notice.tsx';
import type { ShownSecret } from './applications.tsx';
import { newGuid, newSecret } from './random.ts';

interface Props {
  readonly close: () => void;
  readonly after: () => void;
  readonly show: (secret: ShownSecret) => void;
}

const KINDS = [
  { value: 'confidential', label: 'Confidential: a server with a secret' },
  { value: 'public', label: 'Public: a page or a program of a user' },
] as const;

export function NewApplication({ close, after, show }: Props) {
  const go = useGo();
  const [id] = useState(newGuid);
  const [displayName, setDisplayName] = useState('');
  const [kind, setKind] = useState<'confidential' | 'public'>('confidential');
  const [redirects, setRedirects] = useState('');
  const [implicit, setImplicit] = useState(false);
  const redirectUris = redirects.split(/\s+/).filter(Boolean);
  const register = useAction(
    async () => {
      const isPublic = kind === 'public';
      const secret = isPublic ? undefined : newSecret();
      const body = { displayName, public: isPublic, implicit, redirectUris, ...(secret && { secret }) };
      await dataOf(control.PUT('/_jar/applications/{id}', { params: { path: { id } }, body }));
      return secret;
    },
    {
      inline: true,
      after: (secret) => {
        if (secret !== undefined) show({ id, secret });
        after();
        go(addressOf('identity', 'applications', id));
      },
    },
  );
  const { failure } = register;
  const isOfRedirects = failure?.target?.startsWith('redirectUris') === true;
  const isOfName = failure?.target === 'displayName';
  return (
    <Dialog title="Register an application" close={close}>
      <TextField
        label="Name"
        value={displayName}
        onChange={setDisplayName}
        error={isOfName ? failure.message : undefined}
        autoFocus
        onEnter={() => void register.run()}
      />
      <Select label="Kind" value={kind} onChange={setKind} choices={KINDS} />
      <TextField
        label="Redirect addresses"
        value={redirects}
        onChange={setRedirects}
        rows={2}
        isMono
        placeholder="http://localhost:4200/"
        description="One a line. Users return there after their sign-in."
        error={isOfRedirects ? failure.message : undefined}
      />
      <Switch label="Tokens in redirects (implicit flow)" isSelected={implicit} onChange={setImplicit} />
      {failure && !isOfRedirects && !isOfName && (
        <Notice tone="failure" title="The application was not registered.">
          {failure.message}
        </Notice>
      )}
      <Row>
        <Button
          look="main"
          isDisabled={displayName.trim() === '' || register.isRunning}
          onPress={() => void register.run()}
        >
          Register
        </Button>
      </Row>
    </Dialog>
  );
}
