import { movePictures, picturePlaces, type PicturePlace } from '../backup/move-pictures.ts'
import { runCommands } from './command.ts'
import { readConfig } from '../settings/config.ts'
import { showProgress } from '#server/runtime/progress.ts'

const isPlace = (word: string): word is PicturePlace =>
  (picturePlaces as readonly string[]).includes(word)

await runCommands((name) => `npm run pictures -- ${name}`, {
  move: {
    words: ['<bucket|folder>'],
    about: 'Moves all pictures into the bucket, or into the data folder, while Octavo is stopped.',
    options: { keep: { type: 'boolean', about: 'leaves the originals where they are' } },
    failure: 'The pictures were not moved',
    async run({ words: [to = ''], options }) {
      if (!isPlace(to)) throw new Error(`say where to: ${picturePlaces.join(' or ')}`)
      const config = readConfig({ ...process.env })
      const keep = options['keep'] === true
      using bar = showProgress('Moving', {
        info: ({ percent }, what) => console.log(`${what}: ${percent} %`),
      })
      const progress = (done: number, total: number) => bar.update('pictures', done, total)
      const { copied, already, missing } = await movePictures(config, to, { keep, progress })
      bar[Symbol.dispose]()
      const place = to === 'bucket' ? `the bucket ${config.s3?.bucket}` : `${config.dataDir}/files`
      console.log(`${copied} files were copied into ${place} and compared; ${already} were there.`)
      console.log(keep ? 'The originals were left.' : 'The originals were deleted.')
      console.log(`Now start Octavo ${to === 'bucket' ? 'with' : 'without'} the S3 settings.`)
      for (const key of missing) console.error(`Missing in both places: ${key}`)
      return missing.length > 0 ? 1 : 0
    },
  },
})
