import { createClient } from "../../../src/index.ts";
import { chosenFile } from "../chosen-file.ts";

/** The page on which the real client converts a file that a user has chosen. */

const client = createClient();

window.benchImage = async ({ to, quality, maxWidth }) => {
  const start = performance.now();
  const result = await client.convert({
    file: chosenFile(),
    output_format: to,
    quality,
    max_width: maxWidth,
  });
  const milliseconds = performance.now() - start;
  const output = await (await fetch(result.download_url)).blob();
  client.release(result);
  return { milliseconds, outputBytes: output.size };
};

window.benchCrowd = async ({ to, count, maxWorkers }) => {
  const crowd = createClient({ maxWorkers });
  const file = chosenFile();
  const convert = () => crowd.convert({ file, output_format: to });
  // Workers and codecs are loaded before the clock starts: the crowd is what is measured.
  await Promise.all(Array.from({ length: maxWorkers }, convert));
  const start = performance.now();
  await Promise.all(Array.from({ length: count }, convert));
  const milliseconds = performance.now() - start;
  await crowd.close();
  return milliseconds;
};

document.title = "ready";
