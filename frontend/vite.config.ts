import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** Libraries that change rarely, kept apart from our own code so that a release does not throw them out of caches. */
const vendor = [
  { name: 'vendor-react', test: /node_modules\/(react|react-dom|scheduler|react-router|react-router-dom|react-redux|@reduxjs|immer|reselect|react-error-boundary)\// },
  { name: 'vendor-grid', test: /node_modules\/@mui\/x-(data-grid|virtualizer)\// },
  { name: 'vendor-charts', test: /node_modules\/(@mui\/x-charts|@mui\/x-charts-vendor|d3-)/ },
  { name: 'vendor-mui', test: /node_modules\/(@mui|@emotion|notistack|goober|clsx|stylis)\// },
  { name: 'vendor-forms', test: /node_modules\/(react-hook-form|@hookform|zod)\// },
];

export default defineConfig({
  plugins: [react()],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2022',
    sourcemap: true,
    rolldownOptions: { output: { codeSplitting: { groups: vendor } } },
  },
});
