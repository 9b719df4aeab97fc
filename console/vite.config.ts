import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** The jar writes a new nonce into the page with every answer (src/control/console). */
const NONCE = '__CLOUDJAR_NONCE__';

/** With CLOUDJAR_URL, `vite dev` shows the data of a running jar: open its one-time link with the port of the development server. */
const jar = process.env.CLOUDJAR_URL ?? 'http://127.0.0.1:7400';

export default defineConfig({
  base: '/console/',
  plugins: [react()],
  html: { cspNonce: NONCE },
  build: {
    target: 'es2023',
    // Small files become separate requests otherwise, and `data:` scripts would violate the policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    license: { fileName: 'licenses.txt' },
  },
  server: { proxy: { '/_jar': jar, '/subscriptions': jar } },
});
