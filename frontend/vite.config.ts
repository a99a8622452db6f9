import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/**
 * Libraries change rarely: apart from our own code, a release does not throw them out of caches. What the first page
 * needs ($initial) is one chunk; what single screens need is loaded with them. The higher priority claims a module first.
 */
const chunks = [
  { name: 'vendor-react', priority: 9, test: /node_modules[\\/](react|react-dom|scheduler|react-router|react-router-dom|react-redux|@reduxjs|immer|reselect)[\\/]/ },
  { name: 'vendor-ui', priority: 8, tags: ['$initial' as const], test: /node_modules[\\/]/ },
  { name: 'vendor-forms', priority: 7, test: /node_modules[\\/](react-hook-form|@hookform|zod)[\\/]/ },
  { name: 'vendor-more', priority: 6, test: /node_modules[\\/](@mui[\\/](material|system|utils)|@emotion|date-fns)[\\/]/ },
  { name: 'vendor-grid', priority: 5, test: /node_modules[\\/]@mui[\\/]x-(data-grid|virtualizer|internals)[\\/]/ },
  { name: 'vendor-charts', priority: 5, test: /node_modules[\\/](@mui[\\/](x-charts|x-charts-vendor|x-internal-gestures)|bezier-easing)[\\/]/ },
  { name: 'icons', priority: 3, test: /node_modules[\\/]lucide-react[\\/]/ },
];

export default defineConfig({
  plugins: [react()],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2022',
    sourcemap: false,
    // Every asset is a file: the content security policy allows no data: fonts.
    assetsInlineLimit: 0,
    rolldownOptions: { output: { codeSplitting: { groups: chunks } } },
  },
});
