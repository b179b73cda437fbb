import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type Browser, chromium } from 'playwright-core'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** Whether the browser that npm brings runs here; says so loudly when not, since its tests are then left out. */
export const hasChromium = process.platform === 'linux' && process.arch === 'x64'

if (!hasChromium) {
  const system = `${process.platform} on ${process.arch}`
  console.warn(
    `LEFT OUT: the tests of the pages with cells need Chromium for Linux on x64; this is ${system}. Run them there.`,
  )
}

const unpack = fileURLToPath(new URL('./unpack-chromium.ts', import.meta.url))

/** The package's fonts, where they were unpacked: its own list of folders names places that need not exist. */
function fontsOf(folder: string): string {
  const places = [
    `<dir>${join(folder, 'fonts')}</dir>`,
    `<cachedir>${join(folder, 'fonts-cache')}</cachedir>`,
  ]
  return `<?xml version="1.0"?>\n<fontconfig>\n  ${places.join('\n  ')}\n</fontconfig>\n`
}

/** Starts a browser from a folder of its own, which goes when it is closed. */
export async function openChromium(): Promise<{ browser: Browser; close(): Promise<void> }> {
  const folder = temporaryFolder()
  try {
    await promisify(execFile)(process.execPath, [unpack], { env: { ...process.env, TMPDIR: folder.path } })
    const fontsFile = join(folder.path, 'own-fonts.conf')
    writeFileSync(fontsFile, fontsOf(folder.path))
    const browser = await chromium.launch({
      executablePath: join(folder.path, 'chromium'),
      args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
      env: {
        ...(process.env as Record<string, string>),
        LD_LIBRARY_PATH: join(folder.path, 'al2023/lib'),
        FONTCONFIG_FILE: fontsFile,
      },
    })
    const close = async () => {
      await browser.close()
      folder.remove()
    }
    return { browser, close }
  } catch (error) {
    folder.remove()
    throw error
  }
}
