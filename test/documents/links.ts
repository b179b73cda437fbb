import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root } from './programs.ts'

const fences = /^```[\s\S]*?^```/gm
const inlineCode = /`[^`\n]*`/g

/** Relative links of a page that lead to no file, or to no heading of it, as `page: link`. */
export function brokenLinks(page: string, text: string): string[] {
  const prose = text.replaceAll(fences, '').replaceAll(inlineCode, '')
  const links = [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link as string)
  const broken = links.filter((link) => !/^[a-z]+:/.test(link) && !leadsSomewhere(page, link))
  return broken.map((link) => `${page}: ${link}`)
}

function leadsSomewhere(page: string, link: string): boolean {
  const [path = '', anchor] = link.split('#')
  const target = path === '' ? join(root, page) : join(root, dirname(page), path)
  if (!existsSync(target)) return false
  return anchor === undefined || anchorsOf(readFileSync(target, 'utf8')).includes(anchor)
}

/** The anchors that a renderer makes of headings. */
function anchorsOf(text: string): string[] {
  const headings = [...text.replaceAll(fences, '').matchAll(/^#+ (.+)$/gm)]
  return headings.map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  )
}
