// Receives Gatehouse's webhooks. Go 1.18 or newer, no packages.
// WEBHOOK_SECRET=whsec_… PORT=8080 go run receiver.go
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"log"
	"net/http"
	"os"
)

type call struct {
	TransactionID   string `json:"transaction_id"`
	UserID          string `json:"user_id"`
	ReferenceUserID string `json:"reference_user_id"`
	Type            string `json:"type"`
	CreatedAt       string `json:"created_at"`
}

// isSigned is true when the signature was made over exactly these bytes with our secret.
func isSigned(secret, body []byte, header string) bool {
	mac := hmac.New(sha256.New, secret)
	mac.Write(body)
	expected := "sha256=" + hex.EncodeToString(mac.Sum(nil))
	return hmac.Equal([]byte(expected), []byte(header))
}

func main() {
	secret := []byte(os.Getenv("WEBHOOK_SECRET"))
	if len(secret) == 0 {
		log.Fatal("WEBHOOK_SECRET is not set.")
	}
	port := os.Getenv("PORT")
	if port == "" {
		port = "8080"
	}
	http.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 1<<20))
		if err != nil || !isSigned(secret, body, r.Header.Get("X-Hub-Signature-256")) {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		var received call
		if err := json.Unmarshal(body, &received); err != nil {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		// The same transaction_id can come again: remember what was done, and answer 2xx within 15 seconds.
		log.Println(received.TransactionID, received.Type, received.ReferenceUserID)
		w.WriteHeader(http.StatusNoContent)
	})
	log.Fatal(http.ListenAndServe("127.0.0.1:"+port, nil))
}
