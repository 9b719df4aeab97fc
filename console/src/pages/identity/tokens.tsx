import { useState } from 'react';
import { Grid } from '../../shared/ui/layout.tsx';
import { Scrolled } from './scrolled.tsx';
import { TokenForm } from './token-form.tsx';
import { TokenView } from './token-view.tsx';

/** Issues tokens and shows what a token says. A token stays on this page: it is in no address and in no storage. */
export function Tokens() {
  const [token, setToken] = useState('');
  return (
    <Scrolled>
      <Grid least={400}>
        <TokenForm onIssued={setToken} />
        <TokenView token={token} setToken={setToken} />
      </Grid>
    </Scrolled>
  );
}
