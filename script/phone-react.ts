import { isAbsolute } from 'node:path';
import type { Plugin } from 'vite';

/** What the phone's own files import of React. A name that is missing stops the build. */
const names = {
  react: [
    'Component',
    'StrictMode',
    'Fragment',
    'createContext',
    'createElement',
    'memo',
    'use',
    'useCallback',
    'useContext',
    'useDeferredValue',
    'useEffect',
    'useEffectEvent',
    'useId',
    'useLayoutEffect',
    'useMemo',
    'useReducer',
    'useRef',
    'useState',
    'useSyncExternalStore',
  ],
  'react/jsx-runtime': ['Fragment', 'jsx'],
};
const prefix = '\0named:';

export const isReactByName = (id: string): boolean => id.startsWith(prefix);

/**
 * Takes React apart once, in its own file. React is CommonJS: by default each file of the phone would hold the whole of it in a variable and
 * write `(0, react.useState)(…)` where `useState(…)` does. `jsxs` is the same as `jsx` in production.
 */
export function reactByName(): Plugin {
  return {
    name: 'anteroom-react-by-name',
    enforce: 'pre',
    resolveId(source, importer = '') {
      const isOurs = isAbsolute(importer) && !importer.includes('node_modules');
      return source in names && isOurs ? `${prefix}${source}` : null;
    },
    load(id) {
      const source = id.startsWith(prefix) ? id.slice(prefix.length) : '';
      if (!(source in names)) return null;
      const taken = names[source as keyof typeof names].join(', ');
      return `import all from '${source}';
        export const { ${taken} } = all;
        ${source === 'react/jsx-runtime' ? 'export { jsx as jsxs };' : ''}`;
    },
  };
}
