// `npm run dev`: Vite's server on the public port, with the app behind it.
import { join } from 'node:path';
import { createServer } from 'vite';
import { ROOT } from '../lib/paths.mjs';

const [port, appPort] = process.argv.slice(2).map(Number);
const app = { target: `http://127.0.0.1:${appPort}`, xfwd: true };
// Mail programs send POST requests to URLs that are pages of the web app. Only these requests go to the app.
const onlyPosts = { ...app, bypass: (request) => (request.method === 'POST' ? undefined : request.url) };

const server = await createServer({
  root: join(ROOT, 'frontend'),
  server: {
    port,
    strictPort: true,
    open: false,
    proxy: {
      '/api': app,
      '/invite': app,
      '/stripe-simulator': app,
      '/unsubscribe': onlyPosts,
      '/never-ask': onlyPosts,
      '/mail-settings': onlyPosts,
    },
  },
});
await server.listen();
process.on('SIGTERM', () => void server.close().finally(() => process.exit(0)));
