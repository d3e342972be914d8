// The page's address. Links are plain links; whatever stays within the client
// changes the page without a load.

export const address = $state({ path: location.pathname, search: location.search, hash: location.hash });

function read(): void {
  address.path = location.pathname;
  address.search = location.search;
  address.hash = location.hash;
}

export function go(to: string, how: 'push' | 'replace' = 'push'): void {
  history[how === 'push' ? 'pushState' : 'replaceState'](null, '', to);
  read();
  if (how === 'push') scrollTo(0, 0);
}

const OURS = /^\/($|t\/|r$|r\/|rules\/|admin$|new\/)/;

export function followAddress(): () => void {
  const click = (event: MouseEvent) => {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
    const link = (event.target as Element | null)?.closest('a');
    if (!link || link.target || link.hasAttribute('download') || link.origin !== location.origin) return;
    if (!OURS.test(link.pathname)) return;
    event.preventDefault();
    go(link.pathname + link.search + link.hash);
  };
  addEventListener('popstate', read);
  addEventListener('hashchange', read);
  document.addEventListener('click', click);
  return () => {
    removeEventListener('popstate', read);
    removeEventListener('hashchange', read);
    document.removeEventListener('click', click);
  };
}
