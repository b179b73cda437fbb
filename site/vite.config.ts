import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig, type Plugin } from 'vite'
import { pagePolicy } from './content-policy.ts'
import { parsePage } from './src/page.ts'
import { renderPage } from './src/render-page.ts'

const folder = import.meta.dirname
const source = (path: string) => join(folder, '..', 'src', path)

/** Puts the page's text into the document, so that it can be read without a script; once built, with its policy. */
function pagePlugin(): Plugin {
  return {
    name: 'docs-page',
    transformIndexHtml(html, { server }) {
      const page = parsePage(readFileSync(join(folder, 'pages/tools.md'), 'utf8'))
      const filled = html.replace('<!-- page -->', () => renderPage(page))
      if (server !== undefined) return filled
      const attrs = { 'http-equiv': 'Content-Security-Policy', content: pagePolicy }
      return { html: filled, tags: [{ tag: 'meta', attrs, injectTo: 'head-prepend' }] }
    },
  }
}

export default defineConfig({
  root: folder,
  base: './',
  plugins: [pagePlugin()],
  resolve: {
    alias: [
      { find: /^toolpost$/, replacement: source('index.ts') },
      { find: /^toolpost\/testing$/, replacement: source('testing.ts') },
      // Node reads the parser as CommonJS, the browser as modules: then there is one copy of it.
      { find: /^sucrase\/dist\/parser\//, replacement: 'sucrase/dist/esm/parser/' },
    ],
  },
  build: { target: 'es2024', modulePreload: false, assetsInlineLimit: 0, chunkSizeWarningLimit: 2_000 },
  // Cells show the names of functions and classes, so they are kept.
  worker: { format: 'es', rolldownOptions: { output: { keepNames: true } } },
})
