import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** What the landing page is made of: its first visit loads these and no other library (app/boot.ts). */
const LANDING = /node_modules[\\/](@emotion|stylis|clsx|react-transition-group|react-is|prop-types|@mui[\\/](system|utils|styled-engine|private-theming|material[\\/](styles|colors|utils|internal|transitions|zero-styled|OverridableComponent|className|locale|Box|Button|ButtonBase|ButtonGroup|CircularProgress|CssBaseline|FormControl|FormHelperText|FormLabel|GlobalStyles|IconButton|InputBase|InputLabel|Link|OutlinedInput|NotchedOutline|Paper|Stack|SvgIcon|TextareaAutosize|Typography)))[\\/]/;

/** Libraries change rarely: apart from our own code, a release does not throw them out of caches. The higher priority claims a module first. */
const chunks = [
  { name: 'vendor-react', priority: 9, test: /node_modules[\\/](react|react-dom|scheduler)[\\/]/ },
  { name: 'vendor-landing', priority: 8, test: LANDING },
  { name: 'vendor-app', priority: 7, test: /node_modules[\\/](react-router|react-router-dom|react-redux|@reduxjs|immer|reselect|redux|notistack|goober|@mui[\\/]material|@popperjs)[\\/]/ },
  { name: 'vendor-forms', priority: 6, test: /node_modules[\\/](react-hook-form|@hookform|zod)[\\/]/ },
  { name: 'vendor-grid', priority: 5, test: /node_modules[\\/]@mui[\\/]x-(data-grid|virtualizer|internals)[\\/]/ },
  { name: 'vendor-charts', priority: 5, test: /node_modules[\\/](@mui[\\/](x-charts|x-charts-vendor|x-internal-gestures)|bezier-easing)[\\/]/ },
  { name: 'icons-landing', priority: 4, test: /lucide-react[\\/].*[\\/](Icon|createLucideIcon|context|defaultAttributes|ban|book-user|briefcase|check|circle-question-mark|clock|history|layout-template|mail-check|moon|shield|sun|upload|users)\.m?js$/ },
  { name: 'icons', priority: 3, test: /node_modules[\\/]lucide-react[\\/]/ },
];

export default defineConfig({
  plugins: [react()],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2022',
    // Maps lie beside the scripts for the operator; no script names its map, and the server serves none.
    sourcemap: 'hidden',
    // Every asset is a file: the content security policy allows no data: fonts.
    assetsInlineLimit: 0,
    rolldownOptions: { output: { codeSplitting: { groups: chunks } } },
  },
});
