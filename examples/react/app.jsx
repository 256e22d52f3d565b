import { useState } from "react";
import { createRoot } from "react-dom/client";
import { createClient } from "stayput";

const client = createClient();

function App() {
  const [photos, setPhotos] = useState([]);
  const [message, setMessage] = useState("Nothing is uploaded.");

  async function convert({ currentTarget: { files } }) {
    for (const file of files) {
      setMessage(`Converting ${file.name} …`);
      try {
        const photo = await client.convert({ file, output_format: "jpg", pages: "primary" });
        setPhotos((before) => [...before, photo]);
        setMessage("");
      } catch (error) {
        setMessage(error.message);
      }
    }
  }

  return (
    <>
      <h1>Photos to JPG</h1>
      <input type="file" multiple accept="image/*,.heic,.heif" aria-label="Photos" onChange={convert} />
      <p role="status">{message}</p>
      {photos.map(({ download_url, file_name }) => (
        <a key={download_url} href={download_url} download={file_name}>
          <img src={download_url} alt={file_name} height="120" />
        </a>
      ))}
    </>
  );
}

createRoot(document.querySelector("main")).render(<App />);
