// Runs before the first paint, as a file because the content security policy forbids inline scripts:
// puts the remembered colour scheme on the document so that nothing flashes. Dark is the default.
(function () {
  var theme = 'dark';
  try {
    var stored = localStorage.getItem('theme');
    if (stored === 'light') theme = 'light';
    if (stored === 'system' && matchMedia('(prefers-color-scheme: light)').matches) theme = 'light';
  } catch (error) {
    // Storage may be closed to us; dark stays.
  }
  document.documentElement.setAttribute('data-theme', theme);
  // The width of the sidebar's placeholder, as the app remembers it (layouts/use-sidebar.ts).
  if (/(^|; )sidebar_state=false/.test(document.cookie))
    document.documentElement.setAttribute('data-sidebar', 'collapsed');
})();
