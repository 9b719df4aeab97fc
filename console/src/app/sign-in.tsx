import { useState } from 'react';
import type { Failure } from '../shared/api/failure.ts';
import { Button } from '../shared/ui/button.tsx';
import { TextField } from '../shared/ui/field.tsx';
import { CodeBlock, Notice } from '../shared/ui/notice.tsx';
import styles from './sign-in.module.css';

interface Props {
  readonly failure: Failure | undefined;
  readonly enter: (credential: { readonly key: string }) => Promise<void>;
}

/** How to get a session: by a link of the command line, or with the admin key. */
export function SignIn({ failure, enter }: Props) {
  const [key, setKey] = useState('');
  return (
    <main className={styles.frame}>
      <div className={styles.card}>
        <h1>Cloudjar</h1>
        {failure && <Notice tone="failure">{failure.message}</Notice>}
        <p>The console opens with a one-time link, which the start of the jar prints. This command opens another:</p>
        <CodeBlock text="npx cloudjar open" label="Copy the command" />
        <form
          className={styles.form}
          onSubmit={(event) => {
            event.preventDefault();
            void enter({ key });
          }}
        >
          <TextField
            label="Or enter the admin key"
            description="admin.key in the data folder, or CLOUDJAR_ADMIN_KEY"
            type="password"
            value={key}
            onChange={setKey}
          />
          <Button type="submit" look="main" isDisabled={key.trim() === ''}>
            Open
          </Button>
        </form>
      </div>
    </main>
  );
}
