import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { useState } from 'react';
import { RouterProvider } from 'react-aria-components';
import { Router, useLocation } from 'wouter';
import { NowProvider } from '../shared/format/now.tsx';
import { KeysProvider } from '../shared/keys.tsx';
import { LiveProvider } from '../shared/live/live.tsx';
import { ToastProvider } from '../shared/ui/toasts.tsx';
import { Frame } from './frame.tsx';
import { SessionGate } from './session.tsx';

const newClient = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      queries: {
        // Signals say when data is out of date, not the passing of time or a click into the window.
        staleTime: Number.POSITIVE_INFINITY,
        refetchOnWindowFocus: false,
        refetchOnMount: 'always',
        // A jar on this machine answers without a network, too.
        networkMode: 'always',
      },
      mutations: { networkMode: 'always' },
    },
  });

export function App() {
  const [client] = useState(newClient);
  return (
    <QueryClientProvider client={client}>
      <Router base="/console">
        <Navigation>
          <ToastProvider>
            <SessionGate>
              <LiveProvider>
                <NowProvider>
                  <KeysProvider>
                    <Frame />
                  </KeysProvider>
                </NowProvider>
              </LiveProvider>
            </SessionGate>
          </ToastProvider>
        </Navigation>
      </Router>
    </QueryClientProvider>
  );
}

/** Links of the component library use the same router as the pages. */
function Navigation({ children }: { readonly children: React.ReactNode }) {
  const [, navigate] = useLocation();
  return <RouterProvider navigate={(address) => navigate(address)}>{children}</RouterProvider>;
}
