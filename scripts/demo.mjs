// `npm run demo`: `npm start` with demo data, kept apart from what one works with.
process.env.DEMO_DATA = 'on';
process.env.DATA_DIR ||= '.data/demo';
await import('./start.mjs');
